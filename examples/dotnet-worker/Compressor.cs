using System;
using System.IO;
using System.IO.Compression;
using System.Threading;
using System.Threading.Tasks;
using Licet; // licet
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

internal sealed class Compressor : BackgroundService
{
    private readonly string _inbox = Path.Combine(AppContext.BaseDirectory, "inbox");
    private readonly ILogger<Compressor> _logger;
    private readonly LicenseClient _client; // licet
    private OpenLicense? _license; // licet

    public Compressor(ILogger<Compressor> logger, LicenseClient client) => (_logger, _client) = (logger, client); // licet

    /// <summary>Takes the seat before the service has started; without one it does not start.</summary>
    public override async Task StartAsync(CancellationToken cancellationToken) // licet
    {
        var callbacks = new SessionCallbacks { Lost = error => _logger.LogWarning("{Reason}", error.Message) }; // licet
        _license = await _client.OpenAsync(callbacks, cancellationToken: cancellationToken); // licet
        await base.StartAsync(cancellationToken); // licet
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        Directory.CreateDirectory(_inbox);
        using var timer = new PeriodicTimer(TimeSpan.FromSeconds(1));
        while (await timer.WaitForNextTickAsync(stoppingToken))
        {
            if (_license is not { Seat.Held: true }) // licet
            {
                continue; // licet: the seat is lost, and the session goes on asking for one
            }
            foreach (var path in Directory.GetFiles(_inbox, "*.txt"))
            {
                await CompressAsync(path, stoppingToken);
            }
        }
    }

    private async Task CompressAsync(string path, CancellationToken stoppingToken)
    {
        await using (var source = File.OpenRead(path))
        await using (var target = new GZipStream(File.Create(path + ".gz"), CompressionLevel.Optimal))
        {
            await source.CopyToAsync(target, stoppingToken);
        }
        File.Delete(path);
        _logger.LogInformation("Compressed {Path}", path);
    }
}
