import LabKit

/// `lab relay`: the process behind an impaired line; the lab starts it in its switch.
enum RelayCommand {
    static func run(_ words: inout Words) throws {
        let impairment = try words.impairment()
        guard let near = words.next(), let far = words.next() else { throw UsageError("relay joins two interfaces") }
        try words.finish()
        var relay = try FrameRelay(near: near, far: far, impairment: impairment)
        Console.say("relay ready")
        try relay.run()
    }
}
