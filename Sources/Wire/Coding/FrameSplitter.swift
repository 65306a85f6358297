/// Cuts a stream of bytes into payloads. It knows lengths and types and nothing of what they mean.
///
/// Small frames lie one behind the other in `held`, with their headers. Of a large one only the header lies there: its
/// payload goes straight into an array of its own, which is handed out as it is. What is to be skipped is never held.
struct FrameSplitter: Sendable {
    /// Why the stream can't be cut any further.
    struct Refusal {
        let fault: WireError.Fault
        let type: UInt8
    }

    enum Place {
        case header
        case small(missing: Int)
        case large(missing: Int)
        case skipped(missing: Int)
        /// The rest of it is handed out where it comes in.
        case passed(missing: Int)
        case refused(Refusal)
    }

    /// From this size on a payload gets an array of its own as it comes in.
    static let largeByteCount = 2048

    private let payloadLimit: Int
    /// The same for types that are known.
    private let wordLimit: Int
    /// How long the payloads of single types may be that are longer than all others.
    var largerLimits: [UInt8: Int]
    private let known: FrameTypes
    var place = Place.header
    /// The bytes of a header that has not come whole.
    var header: UInt32 = 0
    var headerCount = 0
    var held: [UInt8] = []
    /// Where in `held` the next frame begins that was not handed out.
    var start = 0
    var payloads: [[UInt8]] = []
    var payloadsTaken = 0

    init(payloadLimit: Int, wordLimit: Int, largerLimits: [UInt8: Int], known: FrameTypes) {
        self.payloadLimit = payloadLimit
        self.wordLimit = wordLimit
        self.largerLimits = largerLimits
        self.known = known
    }

    var heldByteCount: Int {
        held.count - start + headerCount + payloads[payloadsTaken...].reduce(0) { $0 + $1.count }
    }

    /// Forgets all that is held.
    mutating func discard() {
        (held, start, payloads, payloadsTaken) = ([], 0, [], 0)
        (header, headerCount) = (0, 0)
    }
}

extension FrameSplitter {
    mutating func append(_ input: UnsafeRawBufferPointer) {
        dropHandedOut()
        var position = 0
        while position < input.count {
            switch place {
            case .header:
                header = header << 8 | UInt32(input[position])
                headerCount += 1
                position += 1
                if headerCount == WireLimits.headerByteCount { beginPayload() }
            case .small(let missing):
                let taken = input[position...].prefix(missing)
                held.append(contentsOf: taken)
                position += taken.count
                place = missing > taken.count ? .small(missing: missing - taken.count) : .header
            case .large(let missing):
                let taken = input[position...].prefix(missing)
                payloads[payloads.count - 1].append(contentsOf: taken)
                position += taken.count
                place = missing > taken.count ? .large(missing: missing - taken.count) : .header
            case .skipped(let missing):
                let taken = min(missing, input.count - position)
                position += taken
                place = missing > taken ? .skipped(missing: missing - taken) : .header
            case .passed:
                preconditionFailure("who lets bytes pass does so to the end of their frame")
            case .refused:
                return
            }
        }
    }

    /// What a header says decides where its payload goes.
    mutating func beginPayload() {
        let (type, length) = (UInt8(header >> 24), Int(header & 0xFF_FFFF))
        let whole = header
        (header, headerCount) = (0, 0)
        if length > wordLimit, length > limit(of: type) {
            let limit = limit(of: type)
            place = .refused(Refusal(fault: .frameTooLong(length: length, limit: limit), type: type))
        } else if known.contains(type) {
            held.append(integer: whole)
            place = length == 0 ? .header : .small(missing: length)
            guard length >= Self.largeByteCount else { return }
            payloads.append([])
            payloads[payloads.count - 1].reserveCapacity(length)
            place = .large(missing: length)
        } else if FrameTypes.maySkip(type) {
            place = length == 0 ? .header : .skipped(missing: length)
        } else {
            place = .refused(Refusal(fault: .unknownFrame, type: type))
        }
    }

    private func limit(of type: UInt8) -> Int {
        known.contains(type) ? largerLimits[type] ?? wordLimit : payloadLimit
    }

    /// Moves what is left to the front, once that is less than what was handed out: so each byte is moved once at most.
    private mutating func dropHandedOut() {
        if start == held.count {
            held.removeAll(keepingCapacity: held.capacity <= WireLimits.controlPayload)
            start = 0
        } else if start > held.count / 2 {
            held.removeSubrange(..<start)
            start = 0
        }
        if payloadsTaken == payloads.count {
            payloads.removeAll(keepingCapacity: payloads.capacity <= 64)
            payloadsTaken = 0
        } else if payloadsTaken > payloads.count / 2 {
            payloads.removeSubrange(..<payloadsTaken)
            payloadsTaken = 0
        }
    }
}

extension FrameSplitter {
    /// The next whole payload; nil until more comes.
    mutating func next() -> (type: UInt8, payload: [UInt8])? {
        guard start < held.count else { return nil }
        let (type, length) = headerAtStart()
        let payloadStart = start + WireLimits.headerByteCount
        if length >= Self.largeByteCount {
            guard payloads[payloadsTaken].count == length else { return nil }
            var payload: [UInt8] = []
            swap(&payload, &payloads[payloadsTaken])
            payloadsTaken += 1
            start = payloadStart
            return (type, payload)
        }
        guard held.count - payloadStart >= length else { return nil }
        start = payloadStart + length
        return (type, Array(held[payloadStart..<start]))
    }

    /// Why nothing comes after the frames that ``next()`` still gives.
    var refusal: Refusal? {
        guard case .refused(let refusal) = place else { return nil }
        return refusal
    }

    private func headerAtStart() -> (type: UInt8, length: Int) {
        (held[start], Int(held[start + 1]) << 16 | Int(held[start + 2]) << 8 | Int(held[start + 3]))
    }
}
