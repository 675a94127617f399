package lvms.lvm2.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import lvms.lvm2.engine.Reply;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

/**
 * LVM's JSON is read with all its quirks. The texts are those of LVM 2.03.16 unless they say so.
 */
class CommandOutputTests {
    private static CommandOutput read(int status, String stdout) {
        return CommandOutput.of(new Reply(status, stdout, ""));
    }

    @Test
    void aKeyThatIsPrintedTwiceCountsOnce() {
        var output =
                read(
                        0,
                        """
                          {
                              "report": [
                                  {
                                      "lv": [
                                          {"lv_name":"a", "pool_lv":"p", "data_percent":"",
                                           "pool_lv":"p"}
                                      ]
                                  }
                              ]
                          }
                        """);
        assertEquals(
                List.of(Map.of("lv_name", "a", "pool_lv", "p", "data_percent", "")),
                output.rows("lv"));
    }

    @Test
    void aCommaTooManyInTheLogIsPassedOver() {
        var output =
                read(
                        5,
                        """
                        {"log": [
                          {"log_seq_num":"1", "log_type":"error", "log_message":"first"},
                          {"log_seq_num":"2", "log_type":"warn", "log_message":"second"},
                        ]}
                        """);
        assertEquals(List.of("first"), output.errors());
    }

    @Test
    void aLogThatNobodyAskedForIsNoReport() {
        var output =
                read(
                        0,
                        """
                        {"report": [ {"vg": [ {"vg_name":"v"} ]} ],
                         "log": [ {"log_type":"status", "log_message":"success"} ]}
                        """);
        assertEquals(1, output.rows("vg").size());
        assertEquals(List.of(), output.errors());
    }

    @Test
    void aReportOfSeveralGroupsKeepsThemApart() {
        var output =
                read(
                        0,
                        """
                        {"report": [
                          {"vg": [{"vg_name":"a"}], "lv": [{"lv_name":"x"}], "pvseg": [{},{}]},
                          {"vg": [{"vg_name":"b"}], "lv": []}
                        ]}
                        """);
        assertEquals(2, output.sections().size());
        assertEquals(List.of(Map.of("lv_name", "x")), output.rows("lv"));
    }

    @Test
    void aNotFoundReportHasAnEmptySectionAndItsErrors() {
        var output =
                read(
                        5,
                        """
                          {
                              "report": [
                                  {
                                      "vg": [
                                      ]
                                  }
                              ]
                              ,
                              "log": [
                                  {"log_seq_num":"1", "log_type":"error", "log_object_type":"vg", \
                        "log_message":"Volume group \\"nope\\" not found", "log_errno":"-1"}
                              ]
                          }
                        """);
        assertEquals(List.of(), output.rows("vg"));
        assertEquals(List.of("Volume group \"nope\" not found"), output.errors());
    }

    @Test
    void errorsOfGetoptComeFromTheErrorOutput() {
        var stderr =
                """
                  WARNING: Activation disabled. No device-mapper interaction will be attempted.
                lvcreate: unrecognized option '--bogus'
                  Error during parsing of command line.
                """;
        var output = CommandOutput.of(new Reply(3, "", stderr));
        assertEquals(
                List.of(
                        "lvcreate: unrecognized option '--bogus'",
                        "Error during parsing of command line."),
                output.errors());
    }

    @Test
    void whatIsNoJsonIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> read(0, "{\"report\": ["));
    }
}
