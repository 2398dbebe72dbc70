using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Text.RegularExpressions;

namespace Licet.Internal;

/// <summary>Everything read from the machine, in one place so that tests can replace it. Nothing here throws.</summary>
internal interface IMachine
{
    /// <summary><c>linux</c>, <c>darwin</c> or <c>win32</c>.</summary>
    string Platform { get; }

    string? Environment(string name);

    /// <summary>The text of a small system file.</summary>
    string? Read(string path);

    bool Exists(string path);

    /// <summary>The names in a system folder.</summary>
    IEnumerable<string> Names(string path);

    /// <summary>The output of <c>ioreg</c> about this Mac.</summary>
    string? IoRegistry();

    /// <summary>The output of <c>diskutil</c> about the data volume of this Mac.</summary>
    string? DiskUtility();

    /// <summary>The MachineGuid of Windows.</summary>
    string? MachineGuid();

    /// <summary>Another value below HKEY_LOCAL_MACHINE; bytes as hexadecimal digits.</summary>
    string? Registry(string path, string name);

    string HostName();
}

/// <summary>The machine this process runs on.</summary>
internal sealed class ThisMachine : IMachine
{
    private const int MaxFileBytes = 1 << 20;
    private static readonly TimeSpan CommandTimeout = TimeSpan.FromSeconds(5);

    public string Platform =>
        OperatingSystem.IsWindows() ? "win32" : OperatingSystem.IsMacOS() ? "darwin" : "linux";

    /// <summary>A short description of the operating system, such as <c>Linux 6.8 x86_64</c>.</summary>
    internal static string OperatingSystemName
    {
        get
        {
            var name = OperatingSystem.IsWindows() ? "Windows" : OperatingSystem.IsMacOS() ? "macOS" : "Linux";
            var version = System.Environment.OSVersion.Version;
            var architecture = RuntimeInformation.OSArchitecture switch
            {
                Architecture.X64 => "x86_64",
                Architecture.Arm64 => "arm64",
                var other => other.ToString().ToLowerInvariant(),
            };
            return $"{name} {version.Major}.{version.Minor} {architecture}";
        }
    }

    public string? Environment(string name) => System.Environment.GetEnvironmentVariable(name);

    public string? Read(string path)
    {
        try
        {
            // Files in /proc have no length, so this cannot be read in one piece.
            using var stream = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
            var buffer = new byte[MaxFileBytes];
            var length = 0;
            for (int read; (read = stream.Read(buffer, length, buffer.Length - length)) > 0;)
            {
                length += read;
            }
            return Encoding.UTF8.GetString(buffer, 0, length);
        }
        catch (Exception error) when (Disk.IsFault(error))
        {
            return null;
        }
    }

    public bool Exists(string path) => File.Exists(path);

    public IEnumerable<string> Names(string path)
    {
        try
        {
            return Directory.GetFileSystemEntries(path).Select(item => Path.GetFileName(item)!);
        }
        catch (Exception error) when (Disk.IsFault(error))
        {
            return Array.Empty<string>();
        }
    }

    public string? IoRegistry() => Run("/usr/sbin/ioreg", "-rd1 -c IOPlatformExpertDevice");

    public string? DiskUtility() => Run("/usr/sbin/diskutil", "info -plist /System/Volumes/Data");

    private static string? Run(string program, string arguments)
    {
        try
        {
            var command = new ProcessStartInfo(program, arguments)
            {
                RedirectStandardOutput = true,
                UseShellExecute = false,
            };
            using var process = Process.Start(command);
            if (process is null)
            {
                return null;
            }
            var output = process.StandardOutput.ReadToEndAsync();
            if (!process.WaitForExit((int)CommandTimeout.TotalMilliseconds))
            {
                process.Kill();
                return null;
            }
            return process.ExitCode == 0 ? output.GetAwaiter().GetResult() : null;
        }
        catch (Exception error) when (error is InvalidOperationException or System.ComponentModel.Win32Exception or IOException)
        {
            return null;
        }
    }

    public string? MachineGuid() => Registry(@"SOFTWARE\Microsoft\Cryptography", "MachineGuid");

    public string? Registry(string path, string name) =>
        OperatingSystem.IsWindows() ? WindowsRegistry.Read(path, name) : null;

    public string HostName()
    {
        try
        {
            return System.Net.Dns.GetHostName();
        }
        catch (System.Net.Sockets.SocketException)
        {
            return "";
        }
    }
}

/// <summary>What kind of machine this is.</summary>
internal static class MachineKind
{
    private static readonly Regex ContainerGroups = new("docker|kubepods|containerd|libpod|/lxc/");

    private static readonly (string Marker, string[] Names)[] CiSystems =
    {
        ("GITHUB_ACTIONS", new[] { "GITHUB_SERVER_URL", "GITHUB_REPOSITORY" }),
        ("GITLAB_CI", new[] { "CI_SERVER_URL", "CI_PROJECT_PATH" }),
        ("CIRCLECI", new[] { "CIRCLE_PROJECT_USERNAME", "CIRCLE_PROJECT_REPONAME" }),
        ("TF_BUILD", new[] { "SYSTEM_COLLECTIONURI", "SYSTEM_TEAMPROJECT" }),
        ("BITBUCKET_BUILD_NUMBER", new[] { "BITBUCKET_REPO_FULL_NAME" }),
        ("BUILDKITE", new[] { "BUILDKITE_ORGANIZATION_SLUG", "BUILDKITE_PIPELINE_SLUG" }),
        ("TRAVIS", new[] { "TRAVIS_REPO_SLUG" }),
        ("JENKINS_URL", new[] { "JENKINS_URL" }),
    };

    /// <summary>Whether this Linux process runs in a container.</summary>
    internal static bool InContainer(IMachine machine) =>
        machine.Platform == "linux"
        && (machine.Exists("/.dockerenv") || machine.Exists("/run/.containerenv")
            || !string.IsNullOrEmpty(machine.Environment("container"))
            || machine.Environment("KUBERNETES_SERVICE_HOST") is not null
            || ContainerGroups.IsMatch(machine.Read("/proc/1/cgroup") ?? ""));

    /// <summary>Whether a file is mounted into the container from outside.</summary>
    internal static bool IsMounted(IMachine machine, string path) =>
        (machine.Read("/proc/self/mountinfo") ?? "").Split('\n')
            .Select(line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries))
            .Any(fields => fields.Length > 4 && fields[4] == path);

    /// <summary>The project of a CI job, the same for all its jobs and runners; null outside CI.</summary>
    internal static string? CiProject(IMachine machine)
    {
        foreach (var (marker, names) in CiSystems)
        {
            if (string.IsNullOrEmpty(machine.Environment(marker)))
            {
                continue;
            }
            var parts = names.Select(name => machine.Environment(name) ?? "").ToArray();
            if (parts.Any(part => part.Length > 0))
            {
                return string.Join('/', parts.Prepend(marker));
            }
        }
        return null;
    }
}
