/// The present data channel of a transfer, and the number of its attempt. Results of an earlier attempt do not count.
struct TransferChannel {
    private(set) var channel: DataChannel?
    private(set) var attempt = 0

    /// Returns the number of a new attempt. Its channel is still missing.
    mutating func beginAttempt() -> Int {
        attempt += 1
        return attempt
    }

    mutating func set(_ channel: DataChannel) { self.channel = channel }

    /// Removes the channel, and returns it. Its attempt continues, so that its failure still counts.
    mutating func removeChannel() -> DataChannel? { channel.take() }

    /// Ends the attempt, and returns its channel.
    mutating func end() -> DataChannel? {
        attempt += 1
        return channel.take()
    }
}
