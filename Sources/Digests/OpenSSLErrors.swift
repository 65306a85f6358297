import COpenSSL

/// OpenSSL's error queue. Each thread has one, and only the entries of the last call may be read.
package enum OpenSSLErrors {
    /// Clears the queue. Call it before each call whose errors matter.
    package static func forget() {
        ERR_clear_error()
    }

    /// The first error of the last call; 0 if there is none. It clears the queue.
    package static func take() -> UInt {
        defer { ERR_clear_error() }
        return ERR_peek_error()
    }

    /// OpenSSL's text for an error.
    package static func sentence(_ error: UInt) -> String {
        ERR_reason_error_string(error).map { String(cString: $0) } ?? "error \(error)"
    }

    /// Checks a call that fails only if memory runs out or its arguments are wrong.
    package static func require(_ succeeded: Bool, _ call: String) {
        precondition(succeeded, "\(call) failed: \(sentence(take()))")
    }

    package static func require<Value>(_ value: Value?, _ call: String) -> Value {
        guard let value else { preconditionFailure("\(call) failed: \(sentence(take()))") }
        return value
    }
}

/// OpenSSL with Huddle's settings, applied before its first use.
package enum OpenSSLSetUp {
    private static let done: Void = {
        // The machine's openssl.cnf could disable features that the protocol needs, or enable others that it
        // forbids. And when the program exits, other threads may still be in OpenSSL: its exit handler must
        // not free their memory.
        let options = UInt64(OPENSSL_INIT_NO_LOAD_CONFIG) | UInt64(OPENSSL_INIT_NO_ATEXIT)
        OpenSSLErrors.require(OPENSSL_init_ssl(options, nil) == 1, "OPENSSL_init_ssl")
    }()

    package static func ensure() {
        done
    }
}
