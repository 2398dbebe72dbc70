import os

SECRET_KEY = os.environ.get("SECRET_KEY", "for development only")
ALLOWED_HOSTS = ["127.0.0.1", "localhost"]
ROOT_URLCONF = "urls"
MIDDLEWARE = ["licensing.LicenseMiddleware"]  # licet
