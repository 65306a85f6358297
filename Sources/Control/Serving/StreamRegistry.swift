import LinuxPlatform
import Household
import Vocabulary

/// The streams that programs of this machine write and read by way of the household, by their numbers.
@Engine
final class StreamDesk {
    /// What is carried under a number.
    enum Place {
        case pouring(Pouring)
        case handover(Handover)
    }

    /// How many at once. Each takes up to two of the connections that callers have together.
    private static let limit = 16

    private var places: [Int: Place] = [:]
    private var count = 0

    /// Counts one that is to be, for as long as the work takes.
    func during<Value: Sendable>(_ work: @Engine () async throws -> Value) async throws -> Value {
        guard count < Self.limit else {
            throw HouseholdError(
                ErrorCode(.busy, "control.too-many-streams"),
                "\(Self.limit) streams go through this daemon already",
                nextStep: "wait until one has ended"
            )
        }
        count += 1
        defer { count -= 1 }
        return try await work()
    }

    func open(_ place: Place, as number: Int) { places[number] = place }

    func close(_ number: Int) { places[number] = nil }

    /// The one to write to that a path names, for one writer.
    func pouring(_ call: RouteCall) throws -> Pouring {
        guard case .pouring(let pouring)? = place(call), pouring.take() else { throw HouseholdError.noStream }
        return pouring
    }

    /// What gives the bytes of the one that a path names, to one reader.
    func source(_ call: RouteCall) throws -> ControlReply.Source {
        guard case .handover(let handover)? = place(call), let source = handover.source() else {
            throw HouseholdError.noStream
        }
        return source
    }

    private func place(_ call: RouteCall) -> Place? {
        call.values["stream"].flatMap { Int($0) }.flatMap { places[$0] }
    }
}

extension HouseholdError {
    fileprivate static let noStream = HouseholdError(
        ErrorCode(.notFound, "control.no-stream"),
        "no stream of that number waits to be written or read here",
        nextStep: "take the number that the answer to /v1/streams tells, while that answer goes on"
    )

    static let readerLeft = HouseholdError(
        "control.reader-left",
        "what read the stream went away before its end",
        nextStep: "have it sent again; a stream that broke off is not resumed"
    )
}
