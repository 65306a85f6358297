// Apple's module exports Foundation, which there includes `@Observable`; code for it relies on both.
@_exported public import Foundation
@_exported public import Observation
