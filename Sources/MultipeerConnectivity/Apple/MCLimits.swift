/// How many peers Apple's sessions have at the least, this one among them.
public let kMCSessionMinimumNumberOfPeers: Int = 2

/// How many peers Apple's sessions have at the most, this one among them. Sessions here have no limit unless
/// ``MCSession/maximumNumberOfPeers`` is set.
public let kMCSessionMaximumNumberOfPeers: Int = 8

/// The domain of ``MCError`` as an `NSError`.
public let MCErrorDomain: String = "MCErrorDomain"
