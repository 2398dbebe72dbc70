namespace Licet.Driver;

/// <summary>
/// The driver of the .NET SDK for the conformance suite: reads requests from standard input and writes
/// responses to standard output, one JSON object per line. See conformance/PROTOCOL.md.
/// </summary>
internal static class Program
{
    private static readonly string[] Capabilities =
    {
        "activations", "causes", "clock", "devices", "downloads", "enrollment", "exit", "grace", "hardware", "keys",
        "leases", "metering", "offline", "offline_requests", "open", "proof", "protected", "proxies", "refresh", "reservations",
        "sentences", "sessions", "settings", "signals", "state", "telemetry", "updates", "verdicts", "versions", "watch",
    };

    private static async Task<int> Main()
    {
        var operations = new Operations();
        using var input = new StreamReader(Console.OpenStandardInput(), new UTF8Encoding(false));
        using var output = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false)) { AutoFlush = true };
        await output.WriteLineAsync(new JsonObject
        {
            ["protocol"] = 1,
            ["sdk"] = "licet",
            ["language"] = ".NET",
            ["version"] = Api.Version,
            ["capabilities"] = Views.Texts(Capabilities),
        }.ToJsonString());
        while (await input.ReadLineAsync() is { } line)
        {
            using var request = JsonDocument.Parse(line);
            var response = await AnswerAsync(operations, request.RootElement);
            response["id"] = JsonNode.Parse(request.RootElement.GetProperty("id").GetRawText());
            await output.WriteLineAsync(response.ToJsonString());
        }
        return 0;
    }

    private static async Task<JsonObject> AnswerAsync(Operations operations, JsonElement request)
    {
        try
        {
            return operations.Find(request.Text("op") ?? "") is { } operation
                ? new JsonObject { ["ok"] = await operation(request) }
                : Failure("UnknownOp", null);
        }
        catch (LicetException error)
        {
            return new JsonObject { ["error"] = Views.Of(error) };
        }
        catch (ArgumentException error)
        {
            return Failure("InvalidArgument", error.Message);
        }
        catch (Exception error)
        {
            return Failure("Internal", error.ToString());
        }
    }

    private static JsonObject Failure(string code, string? message) =>
        new() { ["error"] = new JsonObject { ["code"] = code, ["message"] = message } };
}
