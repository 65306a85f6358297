public import Vocabulary

/// Why a peer is not, or no longer, connected. ``MCSessionEvent/sentence(_:)`` says it to people.
public typealias MCPartingReason = PartingReason
