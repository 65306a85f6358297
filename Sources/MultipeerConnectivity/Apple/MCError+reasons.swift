import Session
import Vocabulary

extension MCError {
    /// The error for the reason why a peer is not connected.
    init(_ reason: PartingReason) {
        self.init(Code(reason), SessionError.explanation(reason), because: reason)
    }

    /// The error for any error of the engine.
    init(of error: any Error) {
        switch error {
        case let error as MCError: self = error
        case is CancellationError: self.init(.cancelled, "it was cancelled")
        case let error as SessionError:
            self.init(error.reason.map { Code($0) } ?? .unavailable, error.description, because: error.reason)
        case let error as any ExplainedError: self.init(.unavailable, error.description)
        default: self.init(.unknown, "\(error)")
        }
    }
}

extension MCError.Code {
    init(_ reason: PartingReason) {
        switch reason {
        case .timedOut: self = .timedOut
        case .withdrawn: self = .cancelled
        case .full, .lockedOut, .shuttingDown: self = .unavailable
        case .wrongVersion, .notPermitted: self = .unsupported
        case .declined, .blocked, .unreachable, .keyChanged, .left, .lost, .brokeProtocol, .wrongCode, .replaced,
            .forgotten:
            self = .notConnected
        }
    }
}

extension PartingReason {
    /// The code for an error of the engine.
    init(of error: any Error) {
        switch error {
        case let error as SessionError: self = error.reason ?? .unreachable
        case is CancellationError: self = .withdrawn
        default: self = .unreachable
        }
    }
}
