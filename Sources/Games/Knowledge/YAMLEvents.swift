import CYAML

/// Reads the events of a YAML text one after the other, and stores no earlier ones. It refuses aliases, because a small
/// text with aliases can expand to a large one.
///
/// One thread at a time may use it.
final class YAMLEvents {
    enum Event {
        case mappingStart, mappingEnd, sequenceStart, sequenceEnd
        /// A scalar, whose text is in ``YAMLEvents/text``.
        case scalar
        case end
    }

    /// The limits of what is read.
    struct Limits: Sendable {
        var bytes = 64 << 20
        var depth = 16
        var scalarBytes = 16 << 10
    }

    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let event: UnsafeMutablePointer<yaml_event_t>
    private let source: Source
    private let limits: Limits
    private var depth = 0
    private var holdsEvent = false

    /// - Parameter read: fills some bytes of the buffer and returns their number; 0 at the end
    init(limits: Limits = Limits(), read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int) throws(YAMLFailure) {
        parser = .allocate(capacity: 1)
        event = .allocate(capacity: 1)
        source = Source(read, limit: limits.bytes)
        self.limits = limits
        guard yaml_parser_initialize(parser) == 1 else {
            parser.deallocate()
            event.deallocate()
            throw .noMemory
        }
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input(
            parser,
            { @Sendable context, room, size, count in
                guard let context, let room, let count else { return 0 }
                let source = Unmanaged<Source>.fromOpaque(context).takeUnretainedValue()
                return source.fill(UnsafeMutableRawBufferPointer(start: room, count: size), &count.pointee) ? 1 : 0
            },
            Unmanaged.passUnretained(source).toOpaque()
        )
    }

    /// Reads a text in memory.
    convenience init(_ bytes: [UInt8], limits: Limits = Limits()) throws(YAMLFailure) {
        var rest = bytes[...]
        try self.init(limits: limits) { room in
            let count = min(room.count, rest.count)
            room.copyBytes(from: rest.prefix(count))
            rest = rest.dropFirst(count)
            return count
        }
    }

    deinit {
        if holdsEvent { yaml_event_delete(event) }
        yaml_parser_delete(parser)
        parser.deallocate()
        event.deallocate()
    }

    /// Returns the next event. Must not be called after ``Event/end``.
    func next() throws(YAMLFailure) -> Event {
        while true {
            if holdsEvent { yaml_event_delete(event) }
            holdsEvent = false
            guard yaml_parser_parse(parser, event) == 1 else { throw failure() }
            holdsEvent = true
            switch event.pointee.type {
            case YAML_SCALAR_EVENT:
                guard event.pointee.data.scalar.length <= limits.scalarBytes else { throw .tooLong(line: line) }
                return .scalar
            case YAML_MAPPING_START_EVENT: return try deeper(.mappingStart)
            case YAML_SEQUENCE_START_EVENT: return try deeper(.sequenceStart)
            case YAML_MAPPING_END_EVENT: return higher(.mappingEnd)
            case YAML_SEQUENCE_END_EVENT: return higher(.sequenceEnd)
            case YAML_ALIAS_EVENT: throw .alias(line: line)
            case YAML_STREAM_END_EVENT, YAML_DOCUMENT_END_EVENT, YAML_NO_EVENT: return .end
            default: continue
            }
        }
    }

    private func deeper(_ event: Event) throws(YAMLFailure) -> Event {
        depth += 1
        guard depth <= limits.depth else { throw .tooDeep(line: line) }
        return event
    }

    private func higher(_ event: Event) -> Event {
        depth -= 1
        return event
    }

    /// The text of the scalar that was read last.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// True if the scalar that was read last is this text.
    func isText(_ wanted: StaticString) -> Bool {
        let bytes = bytes
        guard bytes.count == wanted.utf8CodeUnitCount else { return false }
        return bytes.elementsEqual(UnsafeBufferPointer(start: wanted.utf8Start, count: wanted.utf8CodeUnitCount))
    }

    private var bytes: UnsafeBufferPointer<UInt8> {
        precondition(holdsEvent && event.pointee.type == YAML_SCALAR_EVENT, "only a scalar has a text")
        return UnsafeBufferPointer(start: event.pointee.data.scalar.value, count: event.pointee.data.scalar.length)
    }

    /// The line that was read last, counted from 1.
    private var line: Int { Int(event.pointee.start_mark.line) + 1 }

    /// Reads to the end of the value that begins with an event.
    func skip(_ first: Event) throws(YAMLFailure) {
        guard first == .mappingStart || first == .sequenceStart else { return }
        let outside = depth - 1
        while depth > outside { if try next() == .end { return } }
    }

    private func failure() -> YAMLFailure {
        if let failure = source.failure { return failure }
        if parser.pointee.error == YAML_MEMORY_ERROR { return .noMemory }
        let problem = parser.pointee.problem.map { String(cString: $0) } ?? "it can't be understood"
        return .malformed(problem, line: Int(parser.pointee.problem_mark.line) + 1)
    }
}

/// The origin of the bytes, with the count of them.
private final class Source {
    private let read: (UnsafeMutableRawBufferPointer) throws -> Int
    private var left: Int
    private(set) var failure: YAMLFailure?

    init(_ read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int, limit: Int) {
        (self.read, left) = (read, limit)
    }

    func fill(_ room: UnsafeMutableRawBufferPointer, _ count: inout Int) -> Bool {
        do {
            count = try read(room)
        } catch {
            failure = .unreadable("\(error)")
            return false
        }
        left -= count
        if left < 0 { failure = .tooLarge }
        return left >= 0
    }
}
