using System;
using System.Collections.Generic;
using System.Threading.Tasks;
using Licet;
using Microsoft.Extensions.DependencyInjection;

// What the examples of the documentation assume; build.py adds a method for each of them.
internal sealed partial class Snippets
{
    private const string ProductId = "";
    private const string FirstPublicKey = "";
    private const string SecondPublicKey = "";
    private static readonly string[] PublicKeys = { FirstPublicKey, SecondPublicKey };
    private readonly int frames = 12;
    private readonly string keyTheUserEntered = "";
    private readonly string downloadsFolder = "";
    private readonly LicenseClient client = null!;
    private readonly IServiceCollection services = null!;
    private readonly Host app = null!;

    private static Task RunTheApplicationAsync(OpenLicense license) => Task.FromResult(license);

    private static void ShowToUser(string message) => Console.WriteLine(message);

    private static LicensedDevice AskWhich(IReadOnlyList<LicensedDevice> devices) => devices[0];

    private static void PauseTheWork(string reason) => Console.WriteLine(reason);

    private static void ResumeTheWork() => Console.WriteLine();

    private sealed class Host
    {
        internal IServiceProvider Services { get; } = null!;

        internal Task RunAsync() => Task.FromResult(Services);
    }
}
