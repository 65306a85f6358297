extension KeyedArchive {
    /// The place that refers to an object: the top of the archive, or the first object that does so. The reader looks
    /// for it only to report a fault.
    func way(to number: UInt32, among objects: [ArchiveValue]) -> [PathStep] {
        if let way = ArchiveValue.dictionary(top).way(to: number) { return [.key("$top")] + way }
        for naming in order.sorted() {
            if let way = objects[Int(naming)].way(to: number) { return [.key("$objects"), .index(Int(naming))] + way }
        }
        return [.key("$objects"), .index(Int(number))]
    }
}

extension ArchiveValue {
    /// The steps to the first place within an object that refers to another.
    func way(to number: UInt32) -> [PathStep]? {
        switch self {
        case .reference(number): return []
        case .array(let elements):
            for (position, element) in elements.enumerated() {
                if let rest = element.way(to: number) { return [.index(position)] + rest }
            }
        case .dictionary(let fields):
            for (key, value) in fields where key != "$class" {
                if let rest = value.way(to: number) { return [.key(key)] + rest }
            }
        default: break
        }
        return nil
    }
}
