import COpenSSL
import Digests
import Synchronization

/// AES-256-GCM with one key. The context is set up once for many datagrams.
final class DatagramCipher: Sendable {
    /// `@unchecked Sendable` because threads use it only under the lock.
    private final class Context: @unchecked Sendable {
        let pointer: OpaquePointer

        init(key: [UInt8], isSealing: Bool) {
            pointer = OpenSSLErrors.require(EVP_CIPHER_CTX_new(), "EVP_CIPHER_CTX_new")
            let answer = EVP_CipherInit_ex(pointer, EVP_aes_256_gcm(), nil, key, nil, isSealing ? 1 : 0)
            OpenSSLErrors.require(answer == 1, "EVP_CipherInit_ex")
        }

        deinit {
            EVP_CIPHER_CTX_free(pointer)
        }
    }

    private let context: Mutex<Context>
    private static let sealCount = DatagramHeader.sealCount

    init(key: [UInt8], isSealing: Bool) {
        OpenSSLSetUp.ensure()
        context = Mutex(Context(key: key, isSealing: isSealing))
    }

    /// Encrypts bytes; the result ends with their authentication tag.
    func seal(_ bytes: [UInt8], header: [UInt8], vector: [UInt8]) -> [UInt8] {
        var seal = [UInt8](repeating: 0, count: Self.sealCount)
        let sealed: [UInt8]? = context.withLock { context in
            let sealed = Self.pass(context.pointer, bytes, header, vector) { true }
            let answer = huddle_get_authentication_tag(context.pointer, CInt(seal.count), &seal)
            return answer == 1 ? sealed : nil
        }
        return OpenSSLErrors.require(sealed, "EVP_CipherFinal_ex") + seal
    }

    /// Decrypts a result of ``seal(_:header:vector:)``; nil if anything in it was changed or the key is another.
    func open(_ sealed: [UInt8], header: [UInt8], vector: [UInt8]) -> [UInt8]? {
        guard sealed.count >= Self.sealCount else { return nil }
        let seal = Array(sealed.suffix(Self.sealCount))
        OpenSSLErrors.forget()
        defer { OpenSSLErrors.forget() }
        return context.withLock { context in
            Self.pass(context.pointer, Array(sealed.dropLast(Self.sealCount)), header, vector) {
                huddle_set_authentication_tag(context.pointer, CInt(seal.count), seal) == 1
            }
        }
    }

    /// Passes one datagram through the cipher. Bytes that fail the final check are not returned.
    private static func pass(
        _ context: OpaquePointer,
        _ bytes: [UInt8],
        _ header: [UInt8],
        _ vector: [UInt8],
        expectingSeal: () -> Bool
    ) -> [UInt8]? {
        var ignored: CInt = 0
        guard EVP_CipherInit_ex(context, nil, nil, nil, vector, -1) == 1, expectingSeal(),
            EVP_CipherUpdate(context, nil, &ignored, header, CInt(header.count)) == 1
        else { return nil }
        var isWhole = false
        // because OpenSSL fills the bytes: as many as it gets, since GCM has no blocks to pad
        let passed = [UInt8](unsafeUninitializedCapacity: bytes.count) { room, count in
            guard EVP_CipherUpdate(context, room.baseAddress, &ignored, bytes, CInt(bytes.count)) == 1 else { return }
            var nothing: (UInt64, UInt64) = (0, 0)
            isWhole = withUnsafeMutableBytes(of: &nothing) { nothing in
                let start = nothing.bindMemory(to: UInt8.self).baseAddress
                return EVP_CipherFinal_ex(context, start, &ignored) == 1
            }
            count = isWhole ? bytes.count : 0
        }
        return isWhole ? passed : nil
    }
}
