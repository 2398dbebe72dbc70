using System;
using System.IO;
using System.Reflection;
using System.Runtime.Loader;
using NUnit.Framework.Interfaces;
using NUnit.Framework.Internal;
using NUnit.Framework.Api;

// Runs the tests of an assembly with NUnit alone, where "dotnet test" is not at hand:
// dotnet Licet.TestRunner.dll ASSEMBLY [PART OF A TEST'S NAME]
var path = Path.GetFullPath(args[0]);
AssemblyLoadContext.Default.Resolving += (context, name) =>
{
    var beside = Path.Combine(Path.GetDirectoryName(path)!, name.Name + ".dll");
    return File.Exists(beside) ? context.LoadFromAssemblyPath(beside) : null;
};
return Tests.Run(AssemblyLoadContext.Default.LoadFromAssemblyPath(path), args.Length > 1 ? args[1] : "");

internal static class Tests
{
    internal static int Run(Assembly assembly, string part)
    {
        var runner = new NUnitTestAssemblyRunner(new DefaultTestAssemblyBuilder());
        runner.Load(assembly, new System.Collections.Generic.Dictionary<string, object>());
        var result = runner.Run(new Listener(), new NamePart(part));
        foreach (var child in new[] { result })
        {
            Report(child);
        }
        Console.WriteLine($"{result.PassCount} passed, {result.FailCount} failed, {result.SkipCount} skipped");
        return result.FailCount == 0 && result.PassCount > 0 && result.ResultState.Status != TestStatus.Failed ? 0 : 1;
    }

    private static void Report(ITestResult result)
    {
        foreach (var child in result.Children)
        {
            Report(child);
        }
        if (result.ResultState.Status == TestStatus.Failed && (!result.HasChildren || result.ResultState.Site is FailureSite.SetUp or FailureSite.TearDown))
        {
            Console.WriteLine($"FAILED {result.FullName}\n{result.Message}\n{result.StackTrace}\n");
        }
        else if (result.ResultState.Status == TestStatus.Skipped && !result.HasChildren)
        {
            Console.WriteLine($"Skipped {result.FullName}: {result.Message}");
        }
    }

    private sealed class NamePart : TestFilter
    {
        private readonly string _part;

        internal NamePart(string part) => _part = part;

        public override bool Match(ITest test) =>
            test.IsSuite || test.FullName.Contains(_part, StringComparison.OrdinalIgnoreCase);

        public override TNode AddToXml(TNode parentNode, bool recursive) => parentNode.AddElement("part", _part);
    }

    private sealed class Listener : ITestListener
    {
        public void TestStarted(ITest test) { }

        public void TestFinished(ITestResult result) { }

        public void TestOutput(TestOutput output) { }

        public void SendMessage(TestMessage message) { }
    }
}
