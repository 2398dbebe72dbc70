using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

// As much of Microsoft.Extensions.Hosting as the worker service in examples/ uses. The package is not at hand where
// no .NET SDK is installed; with one, the example is built with the package itself.
namespace Microsoft.Extensions.DependencyInjection
{
    public static class ServiceCollectionHostedServiceExtensions
    {
        public static IServiceCollection AddHostedService<TService>(this IServiceCollection services)
            where TService : class, IHostedService => services.AddSingleton<IHostedService, TService>();
    }
}

namespace Microsoft.Extensions.Hosting
{
    public interface IHostedService
    {
        Task StartAsync(CancellationToken cancellationToken);

        Task StopAsync(CancellationToken cancellationToken);
    }

    public abstract class BackgroundService : IHostedService
    {
        private readonly CancellationTokenSource _stopping = new();
        private Task _work = Task.CompletedTask;

        protected abstract Task ExecuteAsync(CancellationToken stoppingToken);

        public virtual Task StartAsync(CancellationToken cancellationToken)
        {
            _work = ExecuteAsync(_stopping.Token);
            return _work.IsCompleted ? _work : Task.CompletedTask;
        }

        public virtual async Task StopAsync(CancellationToken cancellationToken)
        {
            _stopping.Cancel();
            await Task.WhenAny(_work, Task.Delay(Timeout.Infinite, cancellationToken));
        }
    }

    public static class Host
    {
        public static HostApplicationBuilder CreateApplicationBuilder(string[] args) => new();
    }

    public sealed class HostApplicationBuilder
    {
        public IServiceCollection Services { get; } = new ServiceCollection();

        public IHost Build() => new ConsoleHost(Services);
    }

    public interface IHost
    {
        IServiceProvider Services { get; }

        Task RunAsync();
    }

    internal sealed class ConsoleHost : IHost
    {
        private readonly Singletons _singletons;

        internal ConsoleHost(IServiceCollection services) => _singletons = new Singletons(services);

        public IServiceProvider Services => _singletons;

        public async Task RunAsync()
        {
            await using var singletons = _singletons;
            var ended = new TaskCompletionSource();
            using var terminated = PosixSignalRegistration.Create(PosixSignal.SIGTERM, End);
            using var interrupted = PosixSignalRegistration.Create(PosixSignal.SIGINT, End);
            var services = singletons.Hosted().ToList();
            foreach (var service in services)
            {
                await service.StartAsync(CancellationToken.None);
            }
            Console.WriteLine("Application started. Press Ctrl+C to shut down.");
            await ended.Task;
            foreach (var service in services)
            {
                await service.StopAsync(CancellationToken.None);
            }

            void End(PosixSignalContext context)
            {
                context.Cancel = true;
                ended.TrySetResult();
            }
        }
    }

    internal sealed class Singletons : IServiceProvider, IAsyncDisposable
    {
        private readonly IServiceCollection _services;
        private readonly Dictionary<Type, object> _made = new();

        internal Singletons(IServiceCollection services) => _services = services;

        public object? GetService(Type type)
        {
            if (!_made.TryGetValue(type, out var found) && Create(type) is { } made)
            {
                found = _made[type] = made;
            }
            return found;
        }

        internal IEnumerable<IHostedService> Hosted() => _services
            .Where(service => service.ServiceType == typeof(IHostedService))
            .Select(service => (IHostedService)Construct(service.ImplementationType!));

        public async ValueTask DisposeAsync()
        {
            foreach (var disposable in _made.Values.OfType<IAsyncDisposable>())
            {
                await disposable.DisposeAsync();
            }
        }

        private object? Create(Type type)
        {
            if (type.IsGenericType && type.GetGenericTypeDefinition() == typeof(ILogger<>))
            {
                return Construct(typeof(ConsoleLogger<>).MakeGenericType(type.GetGenericArguments()));
            }
            return _services.LastOrDefault(service => service.ServiceType == type) switch
            {
                null => null,
                { ImplementationFactory: { } create } => create(this),
                { ImplementationInstance: { } instance } => instance,
                var service => Construct(service.ImplementationType!),
            };
        }

        private object Construct(Type type)
        {
            var constructor = type.GetConstructors().Single();
            var arguments = constructor.GetParameters().Select(parameter => GetService(parameter.ParameterType));
            return constructor.Invoke(arguments.ToArray());
        }
    }

    internal sealed class ConsoleLogger<TCategory> : ILogger<TCategory>
    {
        IDisposable ILogger.BeginScope<TState>(TState state) => throw new NotSupportedException();

        public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Information;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception,
            Func<TState, Exception?, string> formatter) =>
            Console.WriteLine($"{logLevel}: {formatter(state, exception)}");
    }
}
