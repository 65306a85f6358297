import CommandTable
import Diagnosis
import Glibc
import Household
import LinuxPlatform
import Vocabulary

/// The daemon's settings as its file and the environment have them; where they are wrong, as they are without.
struct SettingsLook: Sendable {
    let value: DaemonConfiguration
    let facts: SettingsFacts

    init(_ given: GivenValues, in places: OwnPlaces) {
        let path = places.configuration
        do {
            value = try DaemonSettings(huddledFromHere: given).configuration
            facts = SettingsFacts(path: path, trouble: nil)
        } catch let fault as ConfigurationFault {
            value = DaemonConfiguration()
            facts = SettingsFacts(path: path, trouble: fault.message)
        } catch let error as UsageError {
            // That is a variable's fault, and no file's.
            value = DaemonConfiguration()
            facts = SettingsFacts(path: nil, trouble: error.message)
        } catch {
            value = DaemonConfiguration()
            // Only where nobody has named it may it be missing.
            let isMissing = (error as? SystemError)?.number == ENOENT && places.places.namedConfiguration == nil
            facts = SettingsFacts(path: path, trouble: isMissing ? nil : "\(error)")
        }
    }
}
