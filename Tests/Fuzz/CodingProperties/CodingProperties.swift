public import ArchiveProperties
import Foundation
public import SecureArchive
import SecureCoding

/// The properties of any bytes that are decoded as objects and as values.
public enum CodingProperties {
    private static let classes: [AnyClass] = [
        NSDictionary.self, NSMutableDictionary.self, NSArray.self, NSMutableArray.self, NSString.self,
        NSMutableString.self, NSNumber.self, NSData.self, NSDate.self, NSSet.self, NSOrderedSet.self, NSUUID.self,
        NSURL.self, NSNull.self, Traveller.self,
    ]

    /// The violated property; nil if all hold.
    public static func violation(for input: [UInt8]) -> String? {
        let data = Data(input)
        return objectViolation(for: data) ?? valueViolation(for: data, .ignore) ?? valueViolation(for: data, .refuse)
    }

    /// Throws unless the bytes give an object or a value.
    public static func decode(_ input: [UInt8], limits: ArchiveLimits = .small) throws {
        if (try? value(Data(input), .refuse, limits)) == nil {
            try object(Data(input), limits).map(ObjectCircles.takeApart)
        }
    }

    // MARK: Objects

    private static func objectViolation(for data: Data) -> String? {
        let object: Any
        do {
            guard let found = try self.object(data) else { return nil }
            object = found
        } catch {
            return refusalViolation(error)
        }
        defer { ObjectCircles.takeApart(object) }
        do {
            let written = try SecureArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
            guard let again = try self.object(written) else { return "an object does not come back" }
            defer { ObjectCircles.takeApart(again) }
            let second = try SecureArchiver.archivedData(withRootObject: again, requiringSecureCoding: true)
            return second == written ? nil : "an object is written differently the second time"
        } catch {
            // Shared objects are at each place after decoding, and may be too much then.
            if (error as? ArchiveError)?.kind == .tooLarge { return nil }
            return "what was decoded can't be encoded and decoded again: \(error)"
        }
    }

    private static func object(_ data: Data, _ limits: ArchiveLimits = .small) throws -> Any? {
        try SecureUnarchiver.unarchivedObject(ofClasses: classes, from: data, limits: limits)
    }

    // MARK: Values

    private static func valueViolation(for data: Data, _ unknownKeys: UnknownKeys) -> String? {
        let value: Journal
        do {
            value = try self.value(data, unknownKeys)
        } catch {
            return refusalViolation(error)
        }
        do {
            // Not through a format, because not each has words for all of it.
            let tree = try ArchiveEncoder().tree(of: value)
            let again = try decoder(unknownKeys).decode(Journal.self, from: tree)
            guard again == value else { return "a value does not come back" }
            return try ArchiveEncoder().tree(of: again) == tree ? nil : "a value is encoded differently the second time"
        } catch {
            return "what was decoded can't be encoded and decoded again: \(error)"
        }
    }

    private static func value(
        _ data: Data,
        _ unknownKeys: UnknownKeys,
        _ limits: ArchiveLimits = .small
    ) throws -> Journal {
        try decoder(unknownKeys).decode(from: data, limits: limits)
    }

    private static func decoder(_ unknownKeys: UnknownKeys) -> ArchiveDecoder {
        var decoder = ArchiveDecoder()
        decoder.unknownKeys = unknownKeys
        (decoder.dates, decoder.data) = (.iso8601, .base64)
        return decoder
    }

    /// Checks that a refusal is an error of this module beneath Swift's, fit to print.
    private static func refusalViolation(_ error: any Error) -> String? {
        let own: (any Error)? =
            switch error as? DecodingError {
            case .typeMismatch(_, let context)?, .valueNotFound(_, let context)?, .keyNotFound(_, let context)?,
                .dataCorrupted(let context)?:
                context.underlyingError
            default: error
            }
        // Foundation's types report their own refusals without a cause.
        guard let own = own as? ArchiveError else { return error is DecodingError ? nil : "a strange error: \(error)" }
        return own.isFitToPrint ? nil : "an error has something unprintable: \(own)"
    }
}
