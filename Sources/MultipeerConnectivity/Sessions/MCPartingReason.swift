public import Vocabulary

/// The reason why a peer is not connected. ``MCSessionEvent/sentence(_:)`` has a sentence for people.
public typealias MCPartingReason = PartingReason
