/// The layout of a place: the folders of a program for Linux, or those of a program for Windows below its prefix.
package enum PlaceKind: String, Sendable, Hashable, CaseIterable {
    case native, windows
}
