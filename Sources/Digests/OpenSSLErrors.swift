import COpenSSL

/// OpenSSL's list of what went wrong. Each thread has one, and only what was put there by the last call may be read.
package enum OpenSSLErrors {
    /// To be called before each call whose errors are going to be looked at.
    package static func forget() {
        ERR_clear_error()
    }

    /// The first error of the last call, and leaves the list empty; 0 where there is none.
    package static func take() -> UInt {
        defer { ERR_clear_error() }
        return ERR_peek_error()
    }

    /// OpenSSL's own words for an error.
    package static func sentence(_ error: UInt) -> String {
        ERR_reason_error_string(error).map { String(cString: $0) } ?? "error \(error)"
    }

    /// For calls that fail only when memory runs out or we call them wrongly.
    package static func require(_ succeeded: Bool, _ call: String) {
        precondition(succeeded, "\(call) failed: \(sentence(take()))")
    }

    package static func require<Value>(_ value: Value?, _ call: String) -> Value {
        guard let value else { preconditionFailure("\(call) failed: \(sentence(take()))") }
        return value
    }
}

/// OpenSSL as the house wants it, set up before its first use.
package enum OpenSSLSetUp {
    private static let done: Void = {
        // The machine's openssl.cnf could take away what the protocol needs, or add what it must not have. And at the end
        // of the program other threads may still be in OpenSSL: it must not clean up under them.
        let options = UInt64(OPENSSL_INIT_NO_LOAD_CONFIG) | UInt64(OPENSSL_INIT_NO_ATEXIT)
        OpenSSLErrors.require(OPENSSL_init_ssl(options, nil) == 1, "OPENSSL_init_ssl")
    }()

    package static func ensure() {
        done
    }
}
