public import SecureArchive
import Vocabulary

extension ArchiveError {
    /// True if the error has no part of a stranger's text that a terminal would obey.
    public var isFitToPrint: Bool {
        "\(path)\(detail)".unicodeScalars.allSatisfy { scalar in
            // Joiners and variation selectors of emoji may follow the character that they shape.
            PrintableText.isHarmless(scalar) || scalar.properties.generalCategory == .format
                || scalar.properties.isVariationSelector
        }
    }
}
