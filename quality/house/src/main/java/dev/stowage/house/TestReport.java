package dev.stowage.house;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** Reads the report of a test class that Surefire writes. */
final class TestReport {

  /** The text in front of the message of a failed assumption. */
  private static final Pattern EXCEPTION = Pattern.compile("^[\\w.$]+: (Assumption failed: )?");

  private TestReport() {}

  /** {@return for each test of a report the message if it was skipped; empty if it ran} */
  static List<Optional<String>> skipMessages(Path file) throws IOException, XMLStreamException {
    XMLInputFactory factory = XMLInputFactory.newInstance();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    List<Optional<String>> tests = new ArrayList<>();
    try (InputStream in = Files.newInputStream(file)) {
      XMLStreamReader xml = factory.createXMLStreamReader(in);
      while (xml.hasNext()) {
        if (xml.next() == XMLStreamConstants.START_ELEMENT) {
          switch (xml.getLocalName()) {
            case "testcase" -> tests.add(Optional.empty());
            case "skipped" -> tests.set(tests.size() - 1, Optional.of(message(xml)));
            default -> {}
          }
        }
      }
    }
    return tests;
  }

  /* A condition gives the message, and a failed assumption a stack trace. */
  private static String message(XMLStreamReader xml) throws XMLStreamException {
    String message = xml.getAttributeValue(null, "message");
    return message != null
        ? message
        : EXCEPTION
            .matcher(xml.getElementText().lines().findFirst().orElse("no reason"))
            .replaceFirst("");
  }
}
