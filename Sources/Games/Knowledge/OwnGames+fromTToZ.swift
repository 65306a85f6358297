extension OwnGames {
    static let fromTToZ = """
        = Tales of Arise
        save <winLocalAppData>/BANDAI NAMCO Entertainment/Tales of Arise/Saved/SaveGames
        = Terraria
        steam 105600
        dir Terraria
        save <xdgData>/Terraria/Players
        save <xdgData>/Terraria/Worlds
        save <winDocuments>/My Games/Terraria/Players
        save <winDocuments>/My Games/Terraria/Worlds
        = Teslagrad
        save <xdgConfig>/unity3d/Rain/Teslagrad/SaveGame.asset
        = The Battle for Wesnoth
        save <xdgData>/wesnoth/*/saves
        = The Callisto Protocol
        save <winLocalAppData>/CallistoProtocol/Saved/SaveGames
        = The Elder Scrolls V: Skyrim
        save <winDocuments>/My Games/Skyrim/Saves
        = The Elder Scrolls V: Skyrim Special Edition
        save <winDocuments>/My Games/Skyrim Special Edition/Saves
        save <winDocuments>/My Games/Skyrim Special Edition GOG/Saves
        = The End Is Nigh
        save <xdgData>/The End is Nigh/*.sav
        = The Escapists 2
        save <xdgConfig>/unity3d/Team 17 Digital ltd_/The Escapists 2/Saves
        save <winLocalAppDataLow>/Team 17 Digital ltd_/The Escapists 2/Saves
        = The Forest
        save <winLocalAppDataLow>/SKS/TheForest
        = The Long Dark
        save <xdgData>/Hinterland/TheLongDark
        = The Quarry
        save <winLocalAppData>/TheQuarry/Saved/SaveGames
        = The Sims 3
        save <winDocuments>/Electronic Arts/The Sims 3/Saves
        = The Sims 4
        save <winDocuments>/Electronic Arts/The Sims 4/saves
        = The Stanley Parable
        save <installDir>/thestanleyparable/SAVE
        = The Stanley Parable: Ultra Deluxe
        save <xdgConfig>/unity3d/Crows Crows Crows/The Stanley Parable_ Ultra Deluxe
        = The Swapper
        save <xdgData>/Facepalm Games/The Swapper 1000
        = The Witcher 2: Assassins of Kings Enhanced Edition
        save <xdgData>/cdprojektred/witcher2/GameDocuments/Witcher 2/gamesaves
        = The Witcher 3: Wild Hunt
        steam 292030
        save <winDocuments>/The Witcher 3/gamesaves
        = This Is the Police
        save <xdgConfig>/unity3d/Weappy/This Is The Police/Save.xml
        = This War of Mine
        save <home>/.This War of Mine/iPhoneProfiles
        = Tiny Tina's Wonderlands
        save <winDocuments>/My Games/Tiny Tina's Wonderlands/Saved/SaveGames
        = tModLoader
        save <xdgData>/Terraria/tModLoader/Players
        save <xdgData>/Terraria/tModLoader/Worlds
        save <winDocuments>/My Games/Terraria/tModLoader/Players
        save <winDocuments>/My Games/Terraria/tModLoader/Worlds
        = TRI: Of Friendship and Madness
        save <xdgConfig>/unity3d/Rat King Entertainment/TRI/saves
        = Turnover
        steam 372250
        dir Turnover
        save <xdgData>/turnover
        save <winDocuments>/My Games/Turnover
        = ULTRAKILL
        save <installDir>/Saves
        = Unleashed Recompiled
        save <xdgConfig>/UnleashedRecomp/save
        save <winAppData>/UnleashedRecomp/save
        = Vampyr
        save <winLocalAppData>/AVGame/Saved/SaveGames
        = Wolfenstein: The New Order
        save <winSavedGames>/MachineGames/Wolfenstein The New Order/base/savegame
        = Yakuza Kiwami 2
        save <winAppData>/Sega/YakuzaKiwami2
        = Zelda 64: Recompiled
        save <xdgConfig>/Zelda64Recompiled/saves
        save <winLocalAppData>/Zelda64Recompiled/saves
        """
}
