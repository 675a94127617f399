package lvms.k8s.testkit;

/** The custom resource of these tests. */
final class Widgets {
    static final String DEFINITION =
            """
            {'apiVersion':'apiextensions.k8s.io/v1','kind':'CustomResourceDefinition',
             'metadata':{'name':'widgets.example.com'},
             'spec':{'group':'example.com','scope':'Namespaced',
              'names':{'kind':'Widget','plural':'widgets','shortNames':['wd'],'categories':['all']},
              'versions':[{'name':'v1','served':true,'storage':true,
               'subresources':{'status':{},'scale':{'specReplicasPath':'.spec.replicas',
                 'statusReplicasPath':'.status.replicas'}},
               'selectableFields':[{'jsonPath':'.spec.node'}],
               'additionalPrinterColumns':[
                 {'name':'Size','type':'integer','jsonPath':'.spec.size'},
                 {'name':'Age','type':'date','jsonPath':'.metadata.creationTimestamp'}],
               'schema':{'openAPIV3Schema':{'type':'object','properties':{
                'spec':{'type':'object','required':['size'],
                 'x-kubernetes-validations':[
                  {'rule':'!(has(self.raid) && has(self.thin))','message':'raid or thin'}],
                 'properties':{
                  'size':{'type':'integer','minimum':1,'description':'how big'},
                  'quantity':{'x-kubernetes-int-or-string':true,
                    'anyOf':[{'type':'integer'},{'type':'string'}],'pattern':'^[0-9]+(Gi|Mi)?$'},
                  'node':{'type':'string','x-kubernetes-validations':[
                    {'rule':'oldSelf == self','message':'node is immutable'}]},
                  'raid':{'type':'object','properties':{'level':{'type':'string'}}},
                  'thin':{'type':'object','properties':{'name':{'type':'string'}}},
                  'replicas':{'type':'integer','default':1},
                  'color':{'type':'string','enum':['red','green'],'default':'red'},
                  'nothing':{'type':'string','nullable':true},
                  'tags':{'type':'array','x-kubernetes-list-type':'set','items':{'type':'string'}},
                  'parts':{'type':'array','x-kubernetes-list-type':'map',
                    'x-kubernetes-list-map-keys':['name'],'items':{'type':'object',
                     'required':['name'],'properties':{'name':{'type':'string'},
                      'value':{'type':'string','default':'none'}}}}}},
                'status':{'type':'object','properties':{'replicas':{'type':'integer'},
                  'phase':{'type':'string'},
                  'conditions':{'type':'array','x-kubernetes-list-type':'map',
                   'x-kubernetes-list-map-keys':['type'],'items':{'type':'object',
                    'required':['type','status'],'properties':{'type':{'type':'string'},
                     'status':{'type':'string'}}}}}}}}}}]}}
            """;

    private static final String DEFINITIONS =
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

    private Widgets() {}

    /** Defines widgets, once, and waits until they are served. */
    static void define(Client client) throws InterruptedException {
        var reply = client.post(DEFINITIONS, DEFINITION);
        if (reply.code() != 201 && reply.code() != 409) {
            throw new AssertionError(reply.toString());
        }
        Client.await(() -> client.get("/apis/example.com/v1/widgets").code() == 200);
    }

    static String path(String namespace) {
        return "/apis/example.com/v1/namespaces/" + namespace + "/widgets";
    }

    static String named(String name, String spec) {
        return "{'apiVersion':'example.com/v1','kind':'Widget','metadata':{'name':'"
                + name
                + "'},'spec':"
                + spec
                + "}";
    }
}
