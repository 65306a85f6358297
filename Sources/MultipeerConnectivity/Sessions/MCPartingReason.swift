public import Vocabulary

/// The reason why a peer is not connected. ``MCSessionEvent/sentence(_:)`` has a sentence for the user.
public typealias MCPartingReason = PartingReason
