extension OwnGames {
    static let fromEToM = """
        = ELDEN RING
        steam 1245620
        save <winAppData>/EldenRing/*/*.sl2
        = Factorio
        steam 427520
        save <home>/.factorio/saves
        save <winAppData>/Factorio/saves
        = Fallout 3
        save <winDocuments>/My Games/Fallout3/Saves
        = Fallout 4
        save <winDocuments>/My Games/Fallout4/Saves
        = Fallout: New Vegas
        save <winDocuments>/My Games/FalloutNV/Saves
        = Five Nights at Freddy's
        save <winAppData>/MMFApplications/freddy
        = Frostpunk
        save <winAppData>/11bitstudios/Frostpunk/Default/saves/*.save
        = Ghostrunner
        save <winLocalAppData>/Ghostrunner/Saved/SaveGames
        = God of War
        save <winSavedGames>/God of War
        = Grand Theft Auto IV: The Complete Edition
        save <winLocalAppData>/Rockstar Games/GTA IV/savegames
        = Grand Theft Auto V Legacy
        save <winDocuments>/Rockstar Games/GTA V/Profiles
        = Hades
        save <winDocuments>/Saved Games/Hades/Profile*.sjson
        = Hades II
        save <winSavedGames>/Hades II/Profile*
        = Heavy Rain
        save <winSavedGames>/HeavyRain
        = Hi-Fi RUSH
        save <winSavedGames>/TangoGameworks/HI-FI RUSH (STEAM)/Saved/SaveGames
        = High on Life
        save <winLocalAppData>/Oregon/Saved/SaveGames
        = Hogwarts Legacy
        save <winLocalAppData>/Hogwarts Legacy/Saved/SaveGames
        = Hollow Knight
        steam 367520
        dir Hollow Knight
        lutris hollow-knight
        gog 1308320804
        save <xdgConfig>/unity3d/Team Cherry/Hollow Knight/*.dat
        save <winLocalAppDataLow>/Team Cherry/Hollow Knight/*.dat
        = Hollow Knight: Silksong
        steam 1030300
        save <xdgConfig>/unity3d/Team Cherry/Hollow Knight Silksong
        save <winLocalAppDataLow>/Team Cherry/Hollow Knight Silksong
        = HuniePop
        save <xdgConfig>/unity3d/HuniePot/HuniePop/*.game
        save <winLocalAppDataLow>/HuniePot/HuniePop
        = It Takes Two
        save <winLocalAppData>/ItTakesTwo/*.Nuts
        = Life is Strange
        save <xdgData>/feral-interactive/Life Is Strange/VFS/Local/My Games/Life Is Strange/Saves
        save <winDocuments>/My Games/Life Is Strange/Saves
        = Life is Strange 2
        save <winLocalAppData>/Dontnod/*/LIS2/Saved/SaveGames
        = Marvel's Spider-Man Remastered
        save <winDocuments>/Marvel's Spider-Man Remastered
        = Marvel's Spider-Man: Miles Morales
        save <winDocuments>/Marvel's Spider-Man Miles Morales
        = METAL GEAR RISING: REVENGEANCE
        save <winDocuments>/MGR/SaveData
        = Metaphor: ReFantazio
        save <winAppData>/SEGA/METAPHOR/Steam
        = Metro 2033 Redux
        save <winDocuments>/4A Games/Metro 2033
        = Minecraft Dungeons
        save <winSavedGames>/Mojang Studios/Dungeons
        = Minit
        steam 609490
        dir Minit
        gog 1861202745
        save <xdgConfig>/minit/minitsaves/minit_v1.sav
        save <winLocalAppData>/minit/minitSaves/minit_v1.sav
        = My Friend Pedro
        save <winLocalAppDataLow>/DeadToast Entertainment/My Friend Pedro_ Blood Bullets Bananas/Save data
        """
}
