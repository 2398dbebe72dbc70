using System.Security.Cryptography;

namespace Licet.Internal;

/// <summary>
/// A file that comes with the application, and is a license only with a code that was made for this machine: the product
/// has signed by which key codes are.
/// </summary>
/// <param name="File">What it grants with a code.</param>
/// <param name="Jti">Its ID.</param>
internal sealed record BaseFile(LicenseFile File, string Jti)
{
    /// <summary>The type that versions without offline requests refuse.</summary>
    private const string TokenType = "license-base+jwt";
    private const string Curve = "P-256";

    /// <summary>The last day of the year 9999, since 1970.</summary>
    private const int LastDay = 2_932_896;

    private ECParameters CodeKey { get; init; }

    /// <summary>Whether this claims to be a base file. Verifies nothing.</summary>
    internal static bool IsBase(string text) => Jose.TypeOf(text) == TokenType;

    /// <summary>Verifies a base file and reads its claims.</summary>
    /// <exception cref="RejectedTokenException">It cannot be trusted.</exception>
    internal static BaseFile Open(string text, IReadOnlyList<PublicKey> keys, string productId)
    {
        var claims = Jose.Verify(text, keys, TokenType, needsKid: true);
        RejectedTokenException.Require(claims.Text("aud") == productId, "it belongs to another product");
        var jti = Claims.RequiredText(claims, "jti");
        var file = LicenseFile.Read(claims, isProtected: false) with
        {
            HardwareIds = Array.Empty<string>(), Jkt = null, Offline = new OfflineMarks(jti, null, 0),
        };
        RejectedTokenException.Require(file.NormalKey is not null, "its claims are malformed: key");
        return new BaseFile(file, jti) { CodeKey = ReadKey(Claims.RequiredObject(claims, "codeKey")) };
    }

    /// <summary>The file with a code for this machine, which ends with the day of the code; without one, as it is.</summary>
    internal LicenseFile BoundBy(AcceptedCode? answer, string hardwareId, Func<string, bool> isAnswer)
    {
        if (answer is null || answer.Base != Jti || !isAnswer(answer.Code))
        {
            return File;
        }
        var ends = DateTimeOffset.UnixEpoch.AddDays(Math.Min(OfflineCode.Read(answer.Code).Number + 1, LastDay));
        return File with
        {
            HardwareIds = new[] { hardwareId },
            RefreshBy = File.RefreshBy < ends ? File.RefreshBy : ends,
            Offline = File.Offline! with { IsBound = true },
        };
    }

    /// <summary>Whether a code was signed for this machine, this file and the request with this nonce.</summary>
    internal bool IsAnsweredBy(string code, string nonce, LeaseHolder holder)
    {
        OfflineCode read;
        try
        {
            read = OfflineCode.Read(code);
        }
        catch (OfflineCodeException)
        {
            return false; // what is kept was damaged
        }
        var lines = string.Join(
            '\n', "licet-answer-code", holder.ProductId, LicenseKey.Hash(File.NormalKey!), holder.HardwareId, holder.Jkt,
            nonce, Jti, read.Number.ToString(CultureInfo.InvariantCulture));
        using var key = ECDsa.Create(CodeKey);
        return holder.Jkt is not null
            && key.VerifyData(Encoding.UTF8.GetBytes(lines), read.Signature, HashAlgorithmName.SHA256);
    }

    private static ECParameters ReadKey(JsonElement jwk)
    {
        RejectedTokenException.Require(
            jwk.Text("kty") == "EC" && jwk.Text("crv") == Curve, "its claims are malformed: codeKey");
        var parameters = new ECParameters
        {
            Curve = ECCurve.NamedCurves.nistP256,
            Q = new ECPoint
            {
                X = Base64Url.Decode(Claims.RequiredText(jwk, "x")), Y = Base64Url.Decode(Claims.RequiredText(jwk, "y")),
            },
        };
        try
        {
            using var key = ECDsa.Create(parameters);
            return parameters;
        }
        catch (CryptographicException)
        {
            throw new RejectedTokenException("its claims are malformed: codeKey");
        }
    }
}
