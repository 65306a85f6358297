/// The time limits of a transfer.
public struct TransferPatience: Hashable, Sendable {
    /// For the answer to an offer, since the user may be asked.
    public var answer: Duration
    /// For a data channel, and for each first frame on it.
    public var channel: Duration
    /// For the work on the disk of either side: reading the bytes that it has already, and storing.
    public var disk: Duration
    /// For the next byte.
    public var stall: Duration
    /// For a lost link to be restored.
    public var link: Duration
    /// The most data channels in a row that may break without progress.
    public var fruitlessChannels: Int

    /// The defaults are 2 minutes, 10 seconds, 10 minutes, 1 minute, 10 minutes and 5 data channels.
    public init(
        answer: Duration = .seconds(120),
        channel: Duration = .seconds(10),
        disk: Duration = .seconds(600),
        stall: Duration = .seconds(60),
        link: Duration = .seconds(600),
        fruitlessChannels: Int = 5
    ) {
        self.answer = answer
        self.channel = channel
        self.disk = disk
        self.stall = stall
        self.link = link
        self.fruitlessChannels = fruitlessChannels
    }
}
