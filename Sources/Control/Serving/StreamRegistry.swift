import LinuxPlatform
import Household
import Vocabulary

/// The streams that local programs write and read through the daemon, by their numbers.
@Engine
final class StreamRegistry {
    /// The end of a stream at this daemon.
    enum Place {
        case streamUpload(StreamUpload)
        case pipe(BytePipe)
    }

    /// The maximum number of streams. Each uses up to two of the connections that all callers share.
    private static let limit = 16

    private var places: [Int: Place] = [:]
    private var count = 0

    /// Reserves a place for a stream while the work runs. Throws if none is free.
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

    /// Returns the outgoing stream of a path, for one writer.
    func streamUpload(_ call: RouteCall) throws -> StreamUpload {
        guard case .streamUpload(let streamUpload)? = place(call), streamUpload.take() else {
            throw HouseholdError.noStream
        }
        return streamUpload
    }

    /// Returns the bytes of the incoming stream of a path, for one reader.
    func source(_ call: RouteCall) throws -> APIResponse.Source {
        guard case .pipe(let pipe)? = place(call), let source = pipe.source() else {
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
        "no stream with that number waits for a writer or reader",
        nextStep: "use the number from the response to /v1/streams while that response is open"
    )

    static let readerLeft = HouseholdError(
        "control.reader-left",
        "the program that reads the stream stopped before its end",
        nextStep: "ask for it to be sent again; an interrupted stream does not resume"
    )
}
