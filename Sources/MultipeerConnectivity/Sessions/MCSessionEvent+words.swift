import Session
public import Vocabulary

extension MCSessionEvent {
    /// What a reason means, as a sentence for people.
    public static func sentence(_ reason: PartingReason) -> String { SessionError.explanation(reason) }
}
