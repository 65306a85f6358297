/// Minimum number of peers of Apple's sessions, including this one.
public let kMCSessionMinimumNumberOfPeers: Int = 2

/// Maximum number of peers of Apple's sessions, including this one. Sessions of this module have no limit unless
/// ``MCSession/maximumNumberOfPeers`` is set.
public let kMCSessionMaximumNumberOfPeers: Int = 8

/// The domain of ``MCError`` as an `NSError`.
public let MCErrorDomain: String = "MCErrorDomain"
