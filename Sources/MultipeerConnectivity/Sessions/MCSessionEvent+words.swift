import Session
public import Vocabulary

extension MCSessionEvent {
    /// The reason as a sentence for the user.
    public static func sentence(_ reason: PartingReason) -> String { SessionError.explanation(reason) }
}
