import COpenSSL
import Digests

/// The curve P-256 and the arithmetic that SPAKE2 needs. OpenSSL multiplies in constant time.
enum Curve {
    /// The bytes of a scalar.
    static let scalarCount = 32

    // because OpenSSL only reads the group once it is made, and nothing frees it
    nonisolated(unsafe) static let group: OpaquePointer = {
        OpenSSLSetUp.ensure()
        return OpenSSLErrors.require(EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1), "EC_GROUP_new_by_curve_name")
    }()
}

/// A number below the order of the curve. Its memory is cleared when it is released.
struct CurveScalar: ~Copyable {
    fileprivate let raw: OpaquePointer

    /// A random scalar other than zero.
    static func random() -> CurveScalar {
        let scalar = CurveScalar(empty: ())
        repeat {
            OpenSSLErrors.require(
                BN_priv_rand_range(scalar.raw, EC_GROUP_get0_order(Curve.group)) == 1,
                "BN_priv_rand_range"
            )
        } while BN_is_zero(scalar.raw) == 1
        return scalar
    }

    /// Reduces a big-endian number by the order of the curve.
    init(reducing bytes: [UInt8]) {
        self.init(empty: ())
        let work = OpenSSLErrors.require(BN_CTX_secure_new(), "BN_CTX_secure_new")
        defer { BN_CTX_free(work) }
        _ = OpenSSLErrors.require(BN_bin2bn(bytes, CInt(bytes.count), raw), "BN_bin2bn")
        // BN_mod is a macro.
        let divided = BN_div(nil, raw, raw, EC_GROUP_get0_order(Curve.group), work)
        OpenSSLErrors.require(divided == 1, "BN_div")
    }

    private init(empty: Void) {
        raw = OpenSSLErrors.require(BN_secure_new(), "BN_secure_new")
        BN_set_flags(raw, BN_FLG_CONSTTIME)
    }

    deinit { BN_clear_free(raw) }

    /// 32 bytes in big-endian order.
    var bytes: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Curve.scalarCount)
        let count = BN_bn2binpad(raw, &bytes, CInt(bytes.count))
        OpenSSLErrors.require(count == CInt(bytes.count), "BN_bn2binpad")
        return bytes
    }
}

/// A point of the curve.
struct CurvePoint: ~Copyable {
    private let raw: OpaquePointer

    /// - Parameter bytes: a point in a form of SEC 1; the result is nil if it is not on the curve
    init?(bytes: [UInt8]) {
        let point = OpenSSLErrors.require(EC_POINT_new(Curve.group), "EC_POINT_new")
        OpenSSLErrors.forget()
        guard EC_POINT_oct2point(Curve.group, point, bytes, bytes.count, nil) == 1 else {
            _ = OpenSSLErrors.take()
            EC_POINT_free(point)
            return nil
        }
        raw = point
    }

    private init(empty: Void) {
        raw = OpenSSLErrors.require(EC_POINT_new(Curve.group), "EC_POINT_new")
    }

    deinit { EC_POINT_clear_free(raw) }

    /// The generator times a number.
    static func generator(times scalar: borrowing CurveScalar) -> CurvePoint {
        let product = CurvePoint(empty: ())
        let answer = EC_POINT_mul(Curve.group, product.raw, scalar.raw, nil, nil, nil)
        OpenSSLErrors.require(answer == 1, "EC_POINT_mul")
        return product
    }

    /// The point times a number.
    func times(_ scalar: borrowing CurveScalar) -> CurvePoint {
        let product = CurvePoint(empty: ())
        let answer = EC_POINT_mul(Curve.group, product.raw, nil, raw, scalar.raw, nil)
        OpenSSLErrors.require(answer == 1, "EC_POINT_mul")
        return product
    }

    /// The sum of two points.
    func plus(_ other: borrowing CurvePoint) -> CurvePoint {
        let sum = CurvePoint(empty: ())
        OpenSSLErrors.require(EC_POINT_add(Curve.group, sum.raw, raw, other.raw, nil) == 1, "EC_POINT_add")
        return sum
    }

    /// The point minus another.
    func minus(_ other: borrowing CurvePoint) -> CurvePoint {
        let negative = CurvePoint(empty: ())
        OpenSSLErrors.require(EC_POINT_copy(negative.raw, other.raw) == 1, "EC_POINT_copy")
        OpenSSLErrors.require(EC_POINT_invert(Curve.group, negative.raw, nil) == 1, "EC_POINT_invert")
        return plus(negative)
    }

    /// True for the neutral element, which has no coordinates.
    var isNeutral: Bool { EC_POINT_is_at_infinity(Curve.group, raw) == 1 }

    /// The uncompressed point in 65 bytes; the neutral element has one byte.
    var bytes: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 65)
        let count = EC_POINT_point2oct(Curve.group, raw, POINT_CONVERSION_UNCOMPRESSED, &bytes, bytes.count, nil)
        OpenSSLErrors.require(count > 0, "EC_POINT_point2oct")
        return Array(bytes.prefix(count))
    }
}
