namespace Licet;

/// <summary>What an offline request asks for.</summary>
public enum OfflineRequestKind
{
    /// <summary>To activate the license on this machine.</summary>
    Activate,
    /// <summary>A new file in the place of the one from an earlier request.</summary>
    Refresh,
    /// <summary>Nothing: this machine does not use the license any more.</summary>
    Release,
}

/// <summary>
/// What a machine without a connection asks for, signed by the key of this device. It contains no license key. Someone takes
/// it to the offline desk of the vendor, as a file, a QR code or a text.
/// </summary>
/// <example>
/// <code>
/// var request = await client.RequestOfflineAsync();
/// File.WriteAllBytes(request.FileName, request.File);
/// </code>
/// </example>
public class OfflineRequest
{
    internal OfflineRequest(string text, OfflineRequestKind kind, string productId) =>
        (Text, Kind, FileName) = (text, kind, $"{productId}.licetreq");

    /// <summary>The request, to be copied or shown as a QR code.</summary>
    public string Text { get; }

    /// <summary>What it asks for.</summary>
    public OfflineRequestKind Kind { get; }

    /// <summary>A name for a file with it.</summary>
    public string FileName { get; }

    /// <summary>The content of a file with it.</summary>
    public byte[] File => Encoding.UTF8.GetBytes(Text);

    /// <summary>Returns the text of a QR code that opens the offline desk with this request.</summary>
    /// <param name="deskUrl">The address of the desk, such as <c>https://licenses.example.com/o</c>.</param>
    public string QrText(Uri deskUrl) => $"{deskUrl.GetLeftPart(UriPartial.Query)}#{Text}";
}

/// <summary>The proof that this machine does not use the license any more, which frees its seat at the offline desk.</summary>
public sealed class OfflineRelease : OfflineRequest
{
    internal OfflineRelease(string text, string? code, string productId)
        : base(text, OfflineRequestKind.Release, productId) => Code = code;

    /// <summary>The same to be typed at the desk; null where only the text can be used.</summary>
    public string? Code { get; }
}
