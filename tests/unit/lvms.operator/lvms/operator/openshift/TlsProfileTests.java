package lvms.operator.openshift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.object.KubeObject;
import lvms.k8s.serving.TlsBounds;
import lvms.k8s.tree.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

/** A cluster's TLS profile is what a server here can do of it, and never keeps one from serving. */
class TlsProfileTests {
    private static final List<String> INTERMEDIATE =
            List.of(
                    "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
                    "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
                    "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
                    "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
                    "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
                    "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

    private static TlsProfile of(String spec) {
        var json = "{'kind':'APIServer','metadata':{'name':'cluster'},'spec':" + spec + "}";
        return TlsProfile.of(KubeObject.of(Json.parse(json.replace('\'', '"')).asObject()));
    }

    private static TlsProfile custom(String custom) {
        return of("{'tlsSecurityProfile':{'type':'Custom','custom':" + custom + "}}");
    }

    @ParameterizedTest
    @CsvSource({
        "ECDHE-ECDSA-CHACHA20-POLY1305, TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
        "ECDHE-RSA-AES128-SHA256,       TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256",
        "DHE-RSA-AES256-GCM-SHA384,     TLS_DHE_RSA_WITH_AES_256_GCM_SHA384",
        "AES128-GCM-SHA256,             TLS_RSA_WITH_AES_128_GCM_SHA256",
        "AES256-SHA,                    TLS_RSA_WITH_AES_256_CBC_SHA",
        "DES-CBC3-SHA,                  TLS_RSA_WITH_3DES_EDE_CBC_SHA",
        "TLS_AES_128_GCM_SHA256,        TLS_AES_128_GCM_SHA256"
    })
    void namesOfOpenSslBecomeThoseOfIana(String name, String iana) {
        assertEquals(iana, CipherName.iana(name));
    }

    @Test
    void withoutAProfileItIsIntermediate() {
        var wanted = new TlsProfile("VersionTLS12", INTERMEDIATE);
        assertEquals(wanted, of("{}"));
        assertEquals(wanted, of("{'tlsSecurityProfile':{'type':'Intermediate'}}"));
        assertEquals(List.of(), wanted.unknown());
    }

    @Test
    void modernIsTls13Alone() {
        var modern = of("{'tlsSecurityProfile':{'type':'Modern','modern':{}}}");
        assertEquals(List.of("--tls-min-version=VersionTLS13"), modern.flags());
        assertEquals(List.of("TLSv1.3"), modern.bounds().protocols());
    }

    @Test
    void oldIsAsMuchOfItAsTheJdkStillDoes() {
        var old = of("{'tlsSecurityProfile':{'type':'Old'}}").supported();
        assertEquals("VersionTLS12", old.minimum());
        assertTrue(old.cipherSuites().containsAll(INTERMEDIATE), old::toString);
        assertTrue(old.cipherSuites().contains("TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256"));
        assertTrue(TlsBounds.known().containsAll(old.cipherSuites()));
    }

    @Test
    void aSuiteThatNobodyKnowsIsLeftOut() {
        var wanted =
                custom(
                        "{'minTLSVersion':'VersionTLS12',"
                                + "'ciphers':['NONE-SUCH','ECDHE-RSA-AES256-GCM-SHA384']}");
        assertEquals(List.of("TLS_RSA_WITH_NONE_SUCH"), wanted.unknown());
        var flags = wanted.supported().flags();
        assertEquals(
                List.of(
                        "--tls-min-version=VersionTLS12",
                        "--tls-cipher-suites=TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384"),
                flags);
    }

    @Test
    void whoWantsOnlyWhatIsNotThereGetsTls13() {
        var wanted = custom("{'minTLSVersion':'VersionTLS11','ciphers':['NONE-SUCH']}");
        assertEquals(new TlsProfile("VersionTLS13", List.of()), wanted.supported());
    }

    @Test
    void aProfileThatSaysNothingLeavesTheDefaults() {
        assertEquals(TlsBounds.DEFAULT, custom("{}").supported().bounds());
        assertEquals(
                TlsBounds.DEFAULT,
                custom("{'minTLSVersion':'VersionTLS99','ciphers':[]}").supported().bounds());
    }

    @Test
    void theSuitesOfTls13AreThereWithAnyOther() {
        var bounds = of("{}").supported().bounds();
        assertTrue(bounds.cipherSuites().containsAll(INTERMEDIATE), bounds::toString);
        assertTrue(bounds.cipherSuites().contains("TLS_AES_128_GCM_SHA256"), bounds::toString);
        assertEquals(List.of("TLSv1.3", "TLSv1.2"), bounds.protocols());
    }
}
