import LabKit

/// The words of a command line, read one after the other.
struct Words {
    private var words: [String]
    /// The words after `--`.
    let command: [String]?

    init(_ words: [String]) {
        if let end = words.firstIndex(of: "--") {
            self.words = Array(words[..<end])
            command = Array(words[(end + 1)...])
        } else {
            self.words = words
            command = nil
        }
    }

    /// The next word that is no option.
    mutating func next() -> String? {
        guard let index = words.firstIndex(where: { !$0.hasPrefix("-") }) else { return nil }
        return words.remove(at: index)
    }

    /// The word after an option.
    mutating func option(_ name: String) throws -> String? {
        guard let index = words.firstIndex(of: name) else { return nil }
        guard index + 1 < words.count else { throw UsageError("\(name) needs a value") }
        words.remove(at: index)
        return words.remove(at: index)
    }

    /// Returns true if an option without a value is given.
    mutating func flag(_ name: String) -> Bool {
        guard let index = words.firstIndex(of: name) else { return false }
        words.remove(at: index)
        return true
    }

    /// The number after an option, within bounds.
    mutating func number(_ name: String, in bounds: ClosedRange<Double>) throws -> Double? {
        guard let text = try option(name) else { return nil }
        guard let number = Double(text), bounds.contains(number) else {
            throw UsageError("\(name) is a number from \(bounds.lowerBound) to \(bounds.upperBound), not “\(text)”")
        }
        return number
    }

    /// Throws if words are left over. Call it last.
    func finish() throws {
        if let word = words.first { throw UsageError("“\(word)” is not understood here") }
    }

    /// A time with its unit, such as `100ms`.
    static func duration(_ text: String) throws -> Duration {
        let units: [(String, (Double) -> Duration)] = [
            ("ns", { .nanoseconds($0) }), ("us", { .microseconds($0) }), ("ms", { .milliseconds($0) }),
            ("s", { .seconds($0) }),
        ]
        for (unit, make) in units {
            if text.hasSuffix(unit), let number = Double(text.dropLast(unit.count)), (0...1e12).contains(number) {
                return make(number)
            }
        }
        throw UsageError("“\(text)” is not a time such as 100ms or 2s")
    }

    /// Bits a second with their unit, such as `100mbit`.
    static func rate(_ text: String) throws -> Int {
        for (unit, factor) in [("gbit", 1e9), ("mbit", 1e6), ("kbit", 1e3), ("bit", 1)] {
            if text.hasSuffix(unit), let number = Double(text.dropLast(unit.count)),
                (1...1e12).contains(number * factor)
            {
                return Int(number * factor)
            }
        }
        throw UsageError("“\(text)” is not a rate such as 100mbit")
    }

    /// The impairment of a cable.
    mutating func impairment() throws -> Impairment {
        var impairment = Impairment()
        impairment.lossPercent = try number("--loss", in: 0...100) ?? 0
        impairment.delay = try option("--delay").map(Self.duration) ?? .zero
        impairment.jitter = try option("--jitter").map(Self.duration) ?? .zero
        impairment.bitsPerSecond = try option("--rate").map(Self.rate)
        impairment.allowsReordering = flag("--reorder")
        if let seed = try option("--seed") {
            guard let number = UInt64(seed) else { throw UsageError("--seed is a whole number, not “\(seed)”") }
            impairment.seed = number
        }
        return impairment
    }

    /// The named lab, or the only one.
    mutating func lab() throws -> Lab {
        try LabFolder().visit(try labName())
    }

    /// The name of the lab.
    mutating func labName() throws -> String {
        if let name = try option("--name") { return name }
        let names = try LabFolder().names()
        switch names.count {
        case 0: throw UsageError("no lab runs; start one with “lab up”")
        case 1: return names[0]
        default: throw UsageError("several labs run (\(names.joined(separator: ", "))); say --name which one is meant")
        }
    }

    /// The host by its number.
    mutating func host(of lab: Lab) throws -> LabHost {
        guard let word = next() else { throw UsageError("a host's number is missing") }
        guard let number = Int(word), lab.hosts.indices.contains(number - 1) else {
            throw UsageError("“\(word)” is not a host; this lab has hosts 1 to \(lab.hosts.count)")
        }
        return lab[number]
    }
}
