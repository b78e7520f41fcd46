# Runs the hook that Carryon keeps in its home folder. Where the hook, its Node or Carryon has gone, it does nothing and succeeds.
home=${CARRYON_HOME:-$HOME/.carryon}
client=${CLAUDE_CONFIG_DIR:-$HOME/.claude}

# Hooks of `carryon init` answer already, and nothing is to be answered twice.
if grep -qs carryon-hook.cjs "$client/settings.json" "$CLAUDE_PROJECT_DIR/.claude/settings.json" \
  "$CLAUDE_PROJECT_DIR/.claude/settings.local.json"; then exit 0; fi

# Who has Carryon and the plugin has said all that there is to say.
if [ "$1" = first ] && [ ! -f "$home/bin/carryon-hook" ] && command -v carryon >/dev/null; then
  carryon init --plugin --scope user --yes --no-import >/dev/null 2>&1 </dev/null
fi

if [ -f "$home/bin/carryon-hook" ]; then . "$home/bin/carryon-hook"; fi
exit 0
