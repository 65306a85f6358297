internal import Foundation
internal import SecureArchive

extension Date {
    init(_ date: ArchiveDate) {
        self.init(timeIntervalSinceReferenceDate: date.secondsSince2001)
    }
}

extension ArchiveDate {
    /// The date; nil outside of the years that archives support.
    init?(_ date: Date) {
        self.init(secondsSince2001: date.timeIntervalSinceReferenceDate)
    }
}

extension ArchiveInteger {
    /// The same number; nil if a `Double` would round it.
    var exactDouble: Double? {
        if let signed = value(as: Int64.self) { return Double(exactly: signed) }
        return value(as: UInt64.self).flatMap { Double(exactly: $0) }
    }
}
