using System.Diagnostics;

namespace Licet.Tests;

/// <summary>Every way to open a file, where another user has put something in its place.</summary>
[Platform(Exclude = "Win")]
public sealed class DiskTests
{
    private const string Precious = "precious";
    private static readonly byte[] New = { 1 };
    private TemporaryFolder _folder = null!;
    private string _victim = null!;

    [SetUp]
    public void SetUp()
    {
        _folder = new TemporaryFolder();
        _victim = _folder.File("victim");
        File.WriteAllText(_victim, Precious);
        Directory.CreateDirectory(_folder.File("shared"));
        Run("chmod", "0777", _folder.File("shared"));
    }

    [TearDown]
    public void TearDown()
    {
        var stays = File.ReadAllText(_victim);
        _folder.Dispose();
        Assert.That(stays, Is.EqualTo(Precious));
    }

    [TestCase("ln", "-s", "VICTIM", "FILE")]
    [TestCase("ln", "-s", "MISSING", "FILE")]
    [TestCase("ln", "-s", "FILE", "FILE")]
    [TestCase("ln", "-s", "/dev/zero", "FILE")]
    [TestCase("ln", "VICTIM", "FILE")]
    [TestCase("mkfifo", "FILE")]
    [TestCase("mkdir", "FILE")]
    public void What_another_user_has_put_there_is_not_opened(string command, params string[] arguments)
    {
        var file = _folder.File("shared/license.bin");
        void Occupy(string path) => Run(command, arguments.Select(argument =>
            argument.Replace("VICTIM", _victim).Replace("MISSING", _folder.File("missing")).Replace("FILE", path)).ToArray());

        Occupy(file);
        Assert.Throws<RefusedFileException>(() => Disk.ReadLicense(file, 99));
        Assert.Throws<RefusedFileException>(() => Disk.ReadOwn(file, 99));
        Assert.Throws<RefusedFileException>(() => Disk.OpenLocked(file));
        try
        {
            Disk.ReadInstalled(file, 99);
        }
        catch (IOException)
        {
            // It may be refused, but never waits.
        }
        Occupy(_folder.File("shared/.setup.bin.0.part"));
        var (part, stream) = Disk.OpenPart(_folder.File("shared/setup.bin"), "0");
        using (stream)
        {
            Assert.That(stream.Length, Is.Zero);
            Assert.That(File.GetUnixFileMode(part), Is.EqualTo(UnixFileMode.UserRead | UnixFileMode.UserWrite));
        }
        if (command == "mkdir")
        {
            Assert.Throws<RefusedFileException>(() => Disk.WriteLicense(file, New));
            return;
        }
        Disk.WriteLicense(file, New);
        Assert.That(Disk.ReadLicense(file, 99), Is.EqualTo(New));
        Assert.That(Disk.ReadOwn(file, 99), Is.EqualTo(New));
    }

    [Test]
    public void A_locked_file_is_not_opened_again()
    {
        var path = _folder.File("lock");
        using (Disk.OpenLocked(path))
        {
            Assert.Throws<IOException>(() => Disk.OpenLocked(path));
        }
        Disk.OpenLocked(path).Dispose();
    }

    [Test]
    public void A_folder_is_reached_through_links_of_the_user()
    {
        Directory.CreateSymbolicLink(_folder.File("link"), "shared");
        Disk.WriteOwn(_folder.File("link/new/state"), New);
        Assert.That(File.ReadAllBytes(_folder.File("shared/new/state")), Is.EqualTo(New));
        Assert.That(File.GetUnixFileMode(_folder.File("shared/new")) & UnixFileMode.OtherWrite, Is.EqualTo(UnixFileMode.None));
    }

    [Test]
    public void A_folder_that_every_user_may_write_to_holds_no_state()
    {
        var places = Places.Find(_folder.File("shared/license.bin"), null, false, "p", "/app");
        Assert.That(places.StateFolder, Does.EndWith("licet/p"));
        places = Places.Find(null, null, true, "p", "/app");
        Assert.That(places.StateFolder, Does.EndWith("licet/p").And.Not.EqualTo(Path.GetDirectoryName(places.LicenseFile)));
    }

    private static void Run(string command, params string[] arguments)
    {
        using var process = Process.Start(command, arguments);
        process.WaitForExit();
        Assert.That(process.ExitCode, Is.Zero);
    }
}
