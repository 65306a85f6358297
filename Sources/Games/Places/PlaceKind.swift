/// The layout that a place belongs to: what a program for Linux sees, or what a program for Windows sees below its prefix.
package enum PlaceKind: String, Sendable, Hashable, CaseIterable {
    case native, windows
}
