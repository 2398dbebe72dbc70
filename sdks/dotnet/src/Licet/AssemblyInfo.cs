using System.Runtime.CompilerServices;

[assembly: InternalsVisibleTo("Licet.Tests")]
[assembly: InternalsVisibleTo("Licet.Driver")]
