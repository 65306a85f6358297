/// How long a transfer waits, and for what.
public struct TransferPatience: Hashable, Sendable {
    /// For the answer to an offer, where a person may be asked.
    public var answer: Duration
    /// For a lane, and for each first word on it.
    public var lane: Duration
    /// For reading what is held already, and for storing: work on the disk of either side.
    public var disk: Duration
    /// For the next byte.
    public var stall: Duration
    /// For a lost link to come back.
    public var link: Duration
    /// How many lanes in a row may break without a byte getting through.
    public var fruitlessLanes: Int

    /// 2 minutes, 10 seconds, 10 minutes, 1 minute, 10 minutes and 5 lanes, if nothing else is said.
    public init(
        answer: Duration = .seconds(120),
        lane: Duration = .seconds(10),
        disk: Duration = .seconds(600),
        stall: Duration = .seconds(60),
        link: Duration = .seconds(600),
        fruitlessLanes: Int = 5
    ) {
        self.answer = answer
        self.lane = lane
        self.disk = disk
        self.stall = stall
        self.link = link
        self.fruitlessLanes = fruitlessLanes
    }
}
