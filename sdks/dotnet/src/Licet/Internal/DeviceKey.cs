using System.Security.Cryptography;
using System.Text.Encodings.Web;

namespace Licet.Internal;

/// <summary>The private key by which this device proves who it is: ES256, one per product.</summary>
internal sealed class DeviceKey
{
    private const string Type = "EC";
    private const string Curve = "P-256";
    private const int Length = 32;

    // A proof has no HTML around it, and its type is "dpop+jwt" as it is written.
    private static readonly JsonWriterOptions AsWritten = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    private readonly ECParameters _parameters;
    private readonly string _x;
    private readonly string _y;

    private DeviceKey(ECParameters parameters)
    {
        _parameters = parameters;
        (_x, _y) = (Base64Url.Encode(parameters.Q.X!), Base64Url.Encode(parameters.Q.Y!));
        var members = $"{{\"crv\":\"{Curve}\",\"kty\":\"{Type}\",\"x\":\"{_x}\",\"y\":\"{_y}\"}}";
        Jkt = Base64Url.Encode(SHA256.HashData(Encoding.ASCII.GetBytes(members)));
    }

    /// <summary>The RFC 7638 thumbprint of the public key.</summary>
    internal string Jkt { get; }

    /// <exception cref="CryptographicException">This machine cannot make one.</exception>
    internal static DeviceKey Create()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        return new DeviceKey(key.ExportParameters(includePrivateParameters: true));
    }

    /// <summary>Reads a private JWK; null if it is none of this kind.</summary>
    internal static DeviceKey? Read(byte[] utf8)
    {
        if (JsonReading.ParseObject(utf8) is not { } jwk || jwk.Text("kty") != Type || jwk.Text("crv") != Curve
            || Coordinate(jwk, "x") is not { } x || Coordinate(jwk, "y") is not { } y || Coordinate(jwk, "d") is not { } d)
        {
            return null;
        }
        var parameters = new ECParameters
        {
            Curve = ECCurve.NamedCurves.nistP256, Q = new ECPoint { X = x, Y = y }, D = d,
        };
        var probe = new byte[1];
        try
        {
            using var key = ECDsa.Create(parameters);
            // The halves of a damaged file need not belong together, and not every system looks.
            return key.VerifyData(probe, key.SignData(probe, HashAlgorithmName.SHA256), HashAlgorithmName.SHA256)
                ? new DeviceKey(parameters)
                : null;
        }
        catch (CryptographicException)
        {
            return null;
        }
    }

    /// <summary>The private JWK.</summary>
    internal byte[] ToJwk() => Write(writer =>
    {
        WritePublic(writer);
        writer.WriteString("d", Base64Url.Encode(_parameters.D!));
    });

    /// <summary>Signs that this key makes a request (RFC 9449); each proof is for one request alone.</summary>
    /// <param name="method">The method of the request.</param>
    /// <param name="url">Its URL; the query does not count.</param>
    /// <param name="body">The bytes of its body, null if it has none.</param>
    /// <param name="at">The time by the server's clock.</param>
    internal string Prove(string method, Uri url, byte[]? body, DateTimeOffset at) => Sign("dpop+jwt", writer =>
    {
        writer.WriteString("jti", Base64Url.Encode(RandomNumberGenerator.GetBytes(18)));
        writer.WriteString("htm", method);
        writer.WriteString("htu", Target(url));
        writer.WriteNumber("iat", at.ToUnixTimeSeconds());
        if (body is not null)
        {
            writer.WriteString("bh", Base64Url.Encode(SHA256.HashData(body)));
        }
    });

    /// <summary>Signs the receipt of a borrowed seat: that this device does not use it any more.</summary>
    internal string SignReturn(string productId, string leaseId, int seq, DateTimeOffset at) => Sign(
        "receipt+jwt", writer => WriteReceipt(writer, productId, leaseId, seq, at, "Returned"));

    /// <summary>Signs the receipt of reserved credits: what was spent so far.</summary>
    /// <param name="productId">The product.</param>
    /// <param name="leaseId">The lease.</param>
    /// <param name="seq">Its newest token.</param>
    /// <param name="at">The time by this machine's clock.</param>
    /// <param name="kind"><c>Used</c>, or <c>Returned</c> if nothing more is spent.</param>
    /// <param name="spent">How far the journal goes.</param>
    internal string SignSpent(
        string productId, string leaseId, int seq, DateTimeOffset at, string kind, JournalMark spent) => Sign(
        "receipt+jwt", writer =>
        {
            WriteReceipt(writer, productId, leaseId, seq, at, kind);
            writer.WriteString("used", Amounts.Write(spent.Used));
            writer.WriteNumber("lines", spent.Lines);
            writer.WriteString("head", spent.Head);
        });

    /// <summary>Signs a text; the two numbers of the signature follow each other.</summary>
    internal byte[] SignText(string text)
    {
        using var key = ECDsa.Create(_parameters);
        return key.SignData(Encoding.UTF8.GetBytes(text), HashAlgorithmName.SHA256);
    }

    /// <summary>Whether a public JWK is that of this key.</summary>
    internal bool Matches(JsonElement jwk) => jwk.Text("x") == _x && jwk.Text("y") == _y;

    private static void WriteReceipt(
        Utf8JsonWriter writer, string productId, string leaseId, int seq, DateTimeOffset at, string kind)
    {
        writer.WriteString("aud", productId);
        writer.WriteString("lease", leaseId);
        writer.WriteNumber("seq", seq);
        writer.WriteNumber("iat", at.ToUnixTimeSeconds());
        writer.WriteString("kind", kind);
    }

    /// <summary>Signs claims of a type, with the public key in the header.</summary>
    internal string Sign(string type, Action<Utf8JsonWriter> claims)
    {
        var header = Write(writer =>
        {
            writer.WriteString("typ", type);
            writer.WriteString("alg", "ES256");
            writer.WriteStartObject("jwk");
            WritePublic(writer);
            writer.WriteEndObject();
        });
        var signed = $"{Base64Url.Encode(header)}.{Base64Url.Encode(Write(claims))}";
        return $"{signed}.{Base64Url.Encode(SignText(signed))}";
    }

    // The host as it is sent, which for an international name is its form in ASCII.
    private static string Target(Uri url)
    {
        var host = url.HostNameType == UriHostNameType.Dns ? url.IdnHost : url.Host;
        return $"{url.Scheme}://{host}{(url.IsDefaultPort ? "" : $":{url.Port}")}{url.AbsolutePath}";
    }

    private static byte[]? Coordinate(JsonElement jwk, string name)
    {
        try
        {
            return jwk.Text(name) is { } text && Base64Url.Decode(text) is { Length: Length } bytes ? bytes : null;
        }
        catch (RejectedTokenException)
        {
            return null;
        }
    }

    private void WritePublic(Utf8JsonWriter writer)
    {
        writer.WriteString("kty", Type);
        writer.WriteString("crv", Curve);
        writer.WriteString("x", _x);
        writer.WriteString("y", _y);
    }

    private static byte[] Write(Action<Utf8JsonWriter> members)
    {
        using var buffer = new MemoryStream();
        using (var writer = new Utf8JsonWriter(buffer, AsWritten))
        {
            writer.WriteStartObject();
            members(writer);
            writer.WriteEndObject();
        }
        return buffer.ToArray();
    }
}
