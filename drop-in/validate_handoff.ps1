# handoff-guard drop-in: passes every argument to the program validate_handoff and returns its exit code.
#
# The program is $env:VALIDATE_HANDOFF if set, else the one beside this script, else the first one on PATH.
# There is no param block, so PowerShell binds no argument itself.

# A profile may turn a program's exit code into an exception; the code is what the caller asked for.
$PSNativeCommandUseErrorActionPreference = $false

function Stop-WithMessage([string] $Message) {
    [Console]::Error.WriteLine("error: $Message")
    exit 2
}

function Find-Program {
    if ($env:VALIDATE_HANDOFF) {
        $named = Get-Command -Name $env:VALIDATE_HANDOFF -CommandType Application -ErrorAction SilentlyContinue |
            Select-Object -First 1
        if (-not $named) {
            Stop-WithMessage 'VALIDATE_HANDOFF names no program'
        }
        return $named.Source
    }
    foreach ($name in 'validate_handoff.exe', 'validate_handoff') {
        $beside = Join-Path -Path $PSScriptRoot -ChildPath $name
        if (Test-Path -LiteralPath $beside -PathType Leaf) {
            return $beside
        }
    }
    # A script is no application, so this script cannot find itself.
    $found = Get-Command -Name 'validate_handoff' -CommandType Application -ErrorAction SilentlyContinue |
        Select-Object -First 1
    if (-not $found) {
        Stop-WithMessage ("the program validate_handoff was not found; " +
            "install handoff-guard, which brings it ('cargo install --path . --locked' in its checkout), or set VALIDATE_HANDOFF")
    }
    return $found.Source
}

$program = Find-Program
try {
    & $program @args
} catch {
    Stop-WithMessage "$program cannot be run: $_"
}
exit $LASTEXITCODE
