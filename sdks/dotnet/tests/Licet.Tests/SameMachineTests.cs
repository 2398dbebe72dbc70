using System.Diagnostics;

namespace Licet.Tests;

public sealed class SameMachineTests
{
    /// <summary>Needs the Python SDK: LICET_PYTHON_CLI is the path of its command.</summary>
    [Test]
    public void The_python_sdk_has_the_same_hardware_id_on_this_machine()
    {
        if (Environment.GetEnvironmentVariable("LICET_PYTHON_CLI") is not { Length: > 0 } command)
        {
            Assert.Ignore("LICET_PYTHON_CLI does not name the command of the Python SDK.");
            return;
        }
        var start = new ProcessStartInfo(command, "fingerprint --product-id some-product")
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        using var process = Process.Start(start)!;
        var printed = process.StandardOutput.ReadToEnd().Trim();
        process.WaitForExit();
        using var folder = new TemporaryFolder();
        Assert.That(HardwareId.Find("some-product", folder.Path, new ThisMachine()).Value, Is.EqualTo(printed));
    }
}
