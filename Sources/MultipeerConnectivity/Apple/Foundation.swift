// Apple's module brings Foundation along, and Foundation there brings `@Observable`; code written for it counts on both.
@_exported public import Foundation
@_exported public import Observation
