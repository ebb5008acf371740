package dev.stowage.site;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CommandsTest {

  @Test
  void names_ofAHelpText_areThoseOfTheList() {
    assertThat(
            Commands.names(
                "Usage: x\n  -h  Help\nCommands:\n  plan    Plans\n          more text\n  a-b  Does\n\nExit codes:\n  0  done\n"))
        .containsExactly("plan", "a-b");
  }

  @Test
  void html_ofACommand_hasAnAnchorAndTheEscapedText() {
    Commands commands = new Commands();
    commands.add("", "Usage: <x>");
    commands.add("plan", "--format=F");

    assertThat(commands.html())
        .contains("<h2 id=\"stowage\">stowage</h2>")
        .contains("<h2 id=\"stowage-plan\">stowage plan</h2>")
        .contains("Usage: &lt;x&gt;");
    assertThat(commands.sections())
        .contains(new Markdown.Section(2, "stowage plan", "stowage-plan", "--format=F"));
  }
}
