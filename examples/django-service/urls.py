"""Tells how long a text takes to read; the feature ``words`` counts each of its words, too."""

from collections import Counter

from django.http import HttpRequest, HttpResponse, HttpResponseForbidden, JsonResponse
from django.urls import path

WORDS_PER_MINUTE = 200


def minutes(request: HttpRequest) -> HttpResponse:
    words = request.GET.get("text", "").split()
    return JsonResponse({"minutes": len(words) / WORDS_PER_MINUTE})


def words(request: HttpRequest) -> HttpResponse:
    if not request.license.has_feature("words"):  # licet
        return HttpResponseForbidden("The license does not include words.")  # licet
    return JsonResponse(Counter(request.GET.get("text", "").casefold().split()))


urlpatterns = [path("minutes", minutes), path("words", words)]
