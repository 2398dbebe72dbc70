namespace Licet;

/// <summary>The status of an activation. Only active devices hold a seat.</summary>
public enum ActivationStatus
{
    /// <summary>A status of a newer server that this version does not know.</summary>
    Unknown,
    /// <summary>The device holds a seat.</summary>
    Active,
    /// <summary>The vendor has to approve the device first.</summary>
    Pending,
}

/// <summary>The activation of this device.</summary>
/// <param name="Id">The activation's ID.</param>
/// <param name="Status">Its status.</param>
/// <param name="SeatsUsed">Seats of the license in use; null if they are not counted.</param>
/// <param name="SeatsTotal">The seat cap of the license; null if there is none.</param>
/// <param name="ActivatedAt">When the device was activated.</param>
public sealed record Activation(
    string Id, ActivationStatus Status, int? SeatsUsed, int? SeatsTotal, DateTimeOffset? ActivatedAt)
{
    /// <summary>Whether the device holds its seat.</summary>
    public bool IsActive => Status == ActivationStatus.Active;
}
